import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { encodeBase58 } from '@latchkey/wire'

/** Creates a key from a number; the same number gives the same key. */
export function createKey(seed: number): {
  address: string
  publicKey: Uint8Array
  key: KeyObject
} {
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.alloc(32, seed),
  ])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const publicKey = Uint8Array.from(
    createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32),
  )
  return { key, publicKey, address: encodeBase58(publicKey) }
}

export type SolanaKey = ReturnType<typeof createKey>

export const signBytes = ({ key }: SolanaKey, bytes: Uint8Array): Uint8Array =>
  Uint8Array.from(sign(null, bytes, key))

const allFeatures = [
  'solana:signMessage',
  'solana:signTransaction',
  'solana:signAndSendTransaction',
] as const

type Input = { account: { address: string }; message: Uint8Array; transaction: Uint8Array }

/** A wallet of the Wallet Standard. Approves everything, unless a test changes its responses. */
export function createStandardWallet(
  parameters: { name?: string; keys?: readonly SolanaKey[]; chains?: readonly string[] } = {},
) {
  const { name = 'Sun Wallet', keys = [createKey(1)] } = parameters
  const chains = parameters.chains ?? ['solana:mainnet', 'solana:devnet', 'solana:localnet']
  const listeners = new Set<(change: unknown) => void>()
  const toAccount = ({ address, publicKey }: SolanaKey) => ({
    address,
    publicKey,
    chains,
    features: allFeatures,
  })
  const keyOf = ({ account }: Input) => keys.find(({ address }) => address === account.address)
  const calls: { method: string; inputs: readonly unknown[] }[] = []
  const wallet = {
    version: '1.0.0',
    name: name as unknown,
    icon: 'data:image/svg+xml;base64,PHN2Zy8+' as unknown,
    chains: chains as unknown,
    /** The accounts that the page may use; empty until the page has connected. */
    accounts: [] as unknown,
    features: {
      'standard:connect': {
        connect: async (input?: { silent?: boolean }): Promise<unknown> => {
          calls.push({ method: 'connect', inputs: [input] })
          if (!input?.silent) wallet.accounts = keys.map(toAccount)
          return { accounts: wallet.accounts }
        },
      },
      'standard:disconnect': {
        disconnect: async () => {
          wallet.accounts = []
        },
      },
      'standard:events': {
        on: (_event: string, listener: (change: unknown) => void) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      'solana:signMessage': {
        signMessage: async (...inputs: Input[]): Promise<unknown> => {
          calls.push({ method: 'signMessage', inputs })
          return inputs.map((input) => ({
            signedMessage: input.message,
            signature: signBytes(keyOf(input) as SolanaKey, input.message),
          }))
        },
      },
      'solana:signTransaction': {
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async (...inputs: Input[]): Promise<unknown> => {
          calls.push({ method: 'signTransaction', inputs })
          return inputs.map((input) => ({
            signedTransaction: signTransaction(input.transaction, keyOf(input) as SolanaKey),
          }))
        },
      },
      'solana:signAndSendTransaction': {
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction: async (...inputs: Input[]): Promise<unknown> => {
          calls.push({ method: 'signAndSendTransaction', inputs })
          return inputs.map(({ transaction, ...input }) => ({
            signature: signTransaction(
              transaction,
              keyOf({ transaction, ...input }) as SolanaKey,
            ).slice(1, 65),
          }))
        },
      },
    } as Record<string, Record<string, unknown>>,
  }
  return {
    wallet,
    calls,
    toAccount,
    listeners,
    emit: (change: unknown) => {
      for (const listener of listeners) listener(change)
    },
    /**
     * Registers itself like an extension: immediately if the page is ready, otherwise when the page
     * becomes ready.
     */
    register(page: EventTarget) {
      type Api = { register: (...wallets: unknown[]) => unknown }
      const hand = (api: Api) => api.register(wallet)
      page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: hand }))
      page.addEventListener('wallet-standard:app-ready', (event) =>
        hand((event as CustomEvent<Api>).detail),
      )
    },
  }
}

/** Puts the signature of the one signer into a transaction. */
export function signTransaction(transaction: Uint8Array, key: SolanaKey): Uint8Array {
  const signed = Uint8Array.from(transaction)
  signed.set(signBytes(key, transaction.slice(65)), 1)
  return signed
}

type TestInstruction = { program: number; accounts: readonly number[]; data: readonly number[] }

/**
 * A transaction of one signer with no signature yet; accounts are keys by number, the signer and a
 * writable one first.
 */
export function buildTransaction(parameters: {
  keys: readonly Uint8Array[]
  instructions: readonly TestInstruction[]
  blockhash?: number
  version?: 'legacy' | 0
  /** How many sign, from the first key on. */
  signers?: number
}): Uint8Array {
  const { keys, instructions, blockhash = 7, version = 'legacy', signers = 1 } = parameters
  const list = (entries: readonly (readonly number[])[]) => [entries.length, ...entries.flat()]
  const message = [
    ...(version === 0 ? [128] : []),
    signers,
    0,
    keys.length - signers - 1,
    ...list(keys.map((key) => [...key])),
    ...new Array<number>(32).fill(blockhash),
    ...list(
      instructions.map(({ program, accounts, data }) => [
        program,
        accounts.length,
        ...accounts,
        data.length,
        ...data,
      ]),
    ),
    ...(version === 0 ? [0] : []),
  ]
  return Uint8Array.from([signers, ...new Array<number>(64 * signers).fill(0), ...message])
}
