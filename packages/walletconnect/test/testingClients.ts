import type { Dapp, Wallet, WalletConnectSession } from '../src/client.ts'
import { createDapp } from '../src/createDapp.ts'
import { createWallet } from '../src/createWallet.ts'
import type { CreateRelay, RelayMessage } from '../src/relay/relayClient.ts'
import { createTestRelay } from '../src/testing/testing.ts'
import { createTestStorage, type TestStorage } from './testingStorage.ts'

export const relayUrl = 'wss://relay.test'
export const testAccount = 'eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb'
export const testMethods = ['personal_sign', 'eth_sendTransaction']
export const events = ['accountsChanged', 'chainChanged']
export const testRequirements = {
  eip155: { chains: ['eip155:1', 'eip155:137'], methods: testMethods, events },
}
export const testApproval = { eip155: { accounts: [testAccount], methods: testMethods, events } }
const self = (name: string) => ({ name, description: '', url: `https://${name}.test`, icons: [] })

/** Every event of a client, oldest first. */
type EventLog = [name: string, event: unknown][]

const dappEvents = [
  'session_connect',
  'session_update',
  'session_extend',
  'session_ping',
  'session_delete',
  'session_expire',
  'session_event',
  'proposal_expire',
  'pairing_expire',
] as const
const walletEvents = [
  ...dappEvents.filter((name) => name !== 'session_event'),
  'session_proposal',
  'session_authenticate',
  'session_request',
  'session_request_expire',
  'session_acknowledged',
] as const

/** A relay in this process, and clients of both roles on it. */
export function setUp({ nowMs = 1_700_000_000_000 }: { nowMs?: number } = {}) {
  const clock = { nowMs }
  const now = () => clock.nowMs
  const relay = createTestRelay({ now })
  const open: { close(): void }[] = []
  const sinks: ((message: RelayMessage) => Promise<void>)[] = []
  const createRelay: CreateRelay = (made) => {
    sinks.push(made.onMessage)
    return relay.createRelay(made)
  }
  const parameters = { relayUrl, createRelay }
  const dapp = async (storage: TestStorage = createTestStorage(), skewMs = 0) => {
    const tab = storage.tab()
    const made = await createDapp({
      ...parameters,
      metadata: self('app'),
      storage: tab,
      now: () => now() + skewMs,
    })
    const heard: EventLog = []
    for (const name of dappEvents) made.on(name, (event) => heard.push([name, event]))
    open.push(made)
    return Object.assign(made, { heard, storage })
  }
  const wallet = async (storage: TestStorage = createTestStorage(), skewMs = 0) => {
    const tab = storage.tab()
    const made = await createWallet({
      ...parameters,
      metadata: self('wallet'),
      storage: tab,
      now: () => now() + skewMs,
    })
    const heard: EventLog = []
    for (const name of walletEvents) made.on(name, (event) => heard.push([name, event]))
    open.push(made)
    return Object.assign(made, { heard, storage })
  }
  return {
    relay,
    clock,
    dapp,
    wallet,
    /**
     * Acts as a malicious relay: delivers the message to every client, regardless of the sender and
     * as often as a test likes.
     */
    async deliver(message: RelayMessage) {
      await Promise.all(sinks.map((sink) => sink(message)))
    },
    close() {
      for (const one of open) one.close()
    },
  }
}

/** The next event of a name. */
export const next = <Value>(on: (listener: (event: Value) => void) => () => void): Promise<Value> =>
  new Promise((resolve) => {
    const stop = on((event) => {
      stop()
      resolve(event)
    })
  })

/** Opens a session: proposes, pairs and approves. */
export async function settleTestSession(
  dapp: Dapp,
  wallet: Wallet,
  namespaces = testApproval,
): Promise<{ session: WalletConnectSession; own: WalletConnectSession }> {
  const { uri, approval } = await dapp.connect({ optionalNamespaces: testRequirements })
  const proposed = next<{ proposal: { id: number } }>((listener) =>
    wallet.on('session_proposal', listener),
  )
  await wallet.pair(uri)
  const { proposal } = await proposed
  const own = await wallet.approve(proposal.id, { namespaces })
  return { session: await approval, own }
}

/**
 * Waits until pending messages have arrived. Counts turns of the event loop instead of time, so
 * that a busy machine gets as many.
 */
export async function calm(turns = 50): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    // Waits for the threads that do the crypto, too.
    await crypto.subtle.digest('SHA-256', new Uint8Array())
  }
}
