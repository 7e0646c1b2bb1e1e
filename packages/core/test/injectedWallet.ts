import { encodeAddress } from '@latchkey/wire/polkadot'
import { getPublicKey, secretFromSeed, sign } from '@scure/sr25519'

/** An sr25519 key, the same for the same number; its address has the generic prefix. */
export function createKey(seed: number) {
  const secretKey = secretFromSeed(new Uint8Array(32).fill(seed))
  const publicKey = getPublicKey(secretKey)
  return { secretKey, publicKey, address: encodeAddress(publicKey, 42) }
}

export type PolkadotKey = ReturnType<typeof createKey>

/** Signs with sr25519 in the context `substrate`, the same for the same message. */
export const signMessage = ({ secretKey }: PolkadotKey, message: Uint8Array): Uint8Array =>
  sign(secretKey, message, new Uint8Array(32))

/** A transaction on a network, which pays to the account of the call. */
export const createPayload = (network: { id: string | number }) => ({
  address: createKey(1).address,
  blockHash: `0x${'b1'.repeat(32)}`,
  blockNumber: '0x00231d30',
  era: '0x0703',
  genesisHash: `0x${network.id}${'0'.repeat(32)}`,
  method: '0x0600ffd7568e5f0a7eda67a82691ff379ac4bba4f9c9b859fe779b5d46363b61ad2db9e56c',
  nonce: '0x00001234',
  specVersion: '0x0000007b',
  tip: '0x00000000000000000000000000005678',
  transactionVersion: '0x00000007',
  signedExtensions: [
    'CheckNonZeroSender',
    'CheckSpecVersion',
    'CheckTxVersion',
    'CheckGenesis',
    'CheckMortality',
    'CheckNonce',
    'CheckWeight',
    'ChargeTransactionPayment',
    'CheckMetadataHash',
  ],
  version: 4 as const,
})

type Payload = { address: string; data: string; type: string }

/** A wallet as extensions inject it. Approves everything, unless a test changes its responses. */
export function createInjectedWallet(parameters: { keys?: readonly PolkadotKey[] } = {}) {
  const { keys = [createKey(1)] } = parameters
  const listeners = new Set<(accounts: unknown) => void>()
  const calls: { method: string; input: unknown }[] = []
  const state = {
    accounts: keys.map(({ address }) => ({ address, type: 'sr25519' })) as unknown,
    signRaw: (async ({ address, data }: Payload): Promise<unknown> => {
      const key = keys.find((each) => each.address === address) as PolkadotKey
      const bytes = Buffer.from(data.slice(2), 'hex')
      return { id: 1, signature: `0x${Buffer.from(signMessage(key, bytes)).toString('hex')}` }
    }) as (payload: Payload) => Promise<unknown>,
    signPayload: (() => Promise.reject(new Error('none'))) as (payload: object) => Promise<unknown>,
  }
  const enabled = {
    name: 'fake',
    accounts: {
      get: async () => state.accounts,
      subscribe(listener: (accounts: unknown) => void) {
        listeners.add(listener)
        listener(state.accounts)
        return () => listeners.delete(listener)
      },
    },
    signer: {
      signRaw: (payload: Payload) => {
        calls.push({ method: 'signRaw', input: payload })
        return state.signRaw(payload)
      },
      signPayload: (payload: object) => {
        calls.push({ method: 'signPayload', input: payload })
        return state.signPayload(payload)
      },
    },
  }
  const wallet = {
    version: '1',
    enable: async (appName: string): Promise<unknown> => {
      calls.push({ method: 'enable', input: appName })
      return enabled
    },
  }
  const emit = (accounts: unknown) => {
    state.accounts = accounts
    for (const listener of listeners) listener(accounts)
  }
  return { wallet, enabled, state, calls, emit, listeners }
}
