import { createHash } from 'node:crypto'
import { ed25519, RistrettoPoint } from '@noble/curves/ed25519'
import { createTranscript } from '../src/namespaces/polkadot/signature/transcript.ts'
import { encodeAddress } from '../src/namespaces/polkadot/ss58.ts'

const order = ed25519.CURVE.n
const encode = (text: string) => new TextEncoder().encode(text)
const toNumber = (bytes: Uint8Array) =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) % order
const toScalar = (...parts: (string | Uint8Array)[]) =>
  toNumber(parts.reduce((hash, part) => hash.update(part), createHash('sha512')).digest())

/** An sr25519 key, the same for the same number; its address has the generic prefix. */
export function createKey(seed: number) {
  const scalar = toScalar(`key ${seed}`)
  const publicKey = RistrettoPoint.BASE.multiply(scalar).toRawBytes()
  return { scalar, publicKey, address: encodeAddress(publicKey, 42) }
}

export type PolkadotKey = ReturnType<typeof createKey>

/** Signs with sr25519 in the context `substrate`. */
export function signMessage({ scalar, publicKey }: PolkadotKey, message: Uint8Array): Uint8Array {
  const nonce = toScalar(message, String(scalar))
  const commitment = RistrettoPoint.BASE.multiply(nonce).toRawBytes()
  const transcript = createTranscript('SigningContext')
  transcript.append('', encode('substrate'))
  transcript.append('sign-bytes', message)
  transcript.append('proto-name', encode('Schnorr-sig'))
  transcript.append('sign:pk', publicKey)
  transcript.append('sign:R', commitment)
  const challenge = toNumber(transcript.challenge('sign:c', 64))
  const s = (nonce + challenge * scalar) % order
  const bytes = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
  bytes[31] = (bytes[31] ?? 0) | 0x80
  return Uint8Array.from([...commitment, ...bytes])
}

type Payload = { address: string; data: string; type: string }

/** A wallet as extensions inject it, that approves everything until told otherwise. */
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
