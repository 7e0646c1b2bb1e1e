import { randomUUID } from 'node:crypto'
import { type ClientStorage, createDapp, createWallet } from '@latchkey/walletconnect'
import { SignClient } from '@walletconnect/sign-client'
import { WebSocket } from 'ws'

/** A dapp and a wallet of one implementation. The wallet approves and responds to everything. */
export type Side = {
  /**
   * Proposes a session. Returns the URI, and a promise that resolves when the session is settled at
   * the dapp.
   */
  connect(): Promise<{ uri: string; settled: Promise<string> }>
  pair(uri: string): Promise<void>
  request(topic: string): Promise<unknown>
  disconnect(topic: string): Promise<void>
  close(): Promise<void>
}

const chainId = 'eip155:31337'
const methods = ['personal_sign']
const events = ['chainChanged']
const optionalNamespaces = { eip155: { chains: [chainId], methods, events } }
const accounts = [`${chainId}:0x${'ab'.repeat(20)}`]
const namespaces = { eip155: { chains: [chainId], accounts, methods, events } }
const metadata = { name: 'bench', description: '', url: 'https://bench.example', icons: [] }
const params = ['0x48656c6c6f', `0x${'ab'.repeat(20)}`]
const signature = `0x${'cd'.repeat(65)}`

function createMemoryStorage(): ClientStorage {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
    keys: () => [...values.keys()],
    subscribe: () => () => {},
  }
}

// The dapp has the response before the relay's confirmation reaches the wallet; the side may be
// closed in between.
const isClosed = () => {}

/** Our implementation. */
export async function createOurs(relayUrl: string): Promise<Side> {
  const parameters = () => ({
    relayUrl,
    projectId: 'local',
    metadata,
    storage: createMemoryStorage(),
    WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
  })
  const [dapp, wallet] = await Promise.all([createDapp(parameters()), createWallet(parameters())])
  wallet.on('session_proposal', ({ proposal }) => {
    wallet.approve(proposal.id, { namespaces }).catch(isClosed)
  })
  wallet.on('session_request', ({ request }) => {
    wallet.respond(request.topic, request.id, { result: signature }).catch(isClosed)
  })
  return {
    async connect() {
      const { uri, approval } = await dapp.connect({ optionalNamespaces })
      return { uri, settled: approval.then(({ topic }) => topic) }
    },
    pair: (uri) => wallet.pair(uri),
    request: (topic) => dapp.request({ topic, chainId, method: 'personal_sign', params }),
    disconnect: (topic) => dapp.disconnect(topic),
    async close() {
      dapp.close()
      wallet.close()
    },
  }
}

/**
 * The other implementation in its fastest configuration: without its queue, which waits a second
 * between two requests, without telemetry, and without requests about senders to its vendor's host.
 */
export async function createTheirs(relayUrl: string): Promise<Side> {
  const create = async () => {
    const client = await SignClient.init({
      relayUrl,
      projectId: 'local',
      metadata,
      telemetryEnabled: false,
      logger: 'silent',
      customStoragePrefix: randomUUID(),
      storageOptions: { database: ':memory:' },
      signConfig: { disableRequestQueue: true },
    })
    client.core.verify.resolve = () => Promise.reject(new Error('not asked'))
    return client
  }
  const [dapp, wallet] = await Promise.all([create(), create()])
  wallet.on('session_proposal', ({ id }) => {
    wallet.approve({ id, namespaces }).catch(isClosed)
  })
  wallet.on('session_request', ({ topic, id }) => {
    const response = { id, jsonrpc: '2.0', result: signature }
    wallet.respond({ topic, response }).catch(isClosed)
  })
  return {
    async connect() {
      const { uri = '', approval } = await dapp.connect({ optionalNamespaces })
      return { uri, settled: approval().then(({ topic }) => topic) }
    },
    pair: async (uri) => void (await wallet.pair({ uri })),
    request: (topic) =>
      dapp.request({ topic, chainId, request: { method: 'personal_sign', params } }),
    disconnect: (topic) => dapp.disconnect({ topic, reason: { code: 6000, message: 'Done.' } }),
    async close() {
      for (const client of [dapp, wallet]) {
        client.core.heartbeat.stop()
        await client.core.relayer.transportClose()
      }
    },
  }
}
