import { toBase64Url } from '../wallet/crypto/bytes.ts'
import type { KeyStore } from '../wallet/keyStore.ts'

/**
 * The key that identifies this browser: P-256, with a private half that cannot leave the browser.
 */
export type DeviceKey = {
  readonly jwk: {
    readonly kty: 'EC'
    readonly crv: 'P-256'
    readonly x: string
    readonly y: string
  }
  /** ES256 over `text`, base64url. */
  sign(text: string): Promise<string>
}

const storeKey = 'session key'

/**
 * Runs `work` in one tab of this origin at a time, for each name. Runs it at once if locks are
 * missing, or denied together with storage.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks as LockManager | undefined
  if (!locks) return work()
  let isBegun = false
  const begin = () => {
    isBegun = true
    return work()
  }
  try {
    return (await locks.request(`latchkey ${name}`, begin)) as T
  } catch (error) {
    if (isBegun) throw error
    return work()
  }
}

/** The browser's key, created on first use and shared by all tabs. */
export async function openDeviceKey(store: KeyStore): Promise<DeviceKey> {
  const pair = await withLock('session key', async () => {
    const found = await store.get(storeKey)
    if (isPair(found)) return found
    const newPair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'sign',
      'verify',
    ])
    await store.put(storeKey, newPair)
    return newPair
  })
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return {
    jwk: { kty: 'EC', crv: 'P-256', x, y },
    sign: async (text) => {
      const bytes = new TextEncoder().encode(text)
      const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
      return toBase64Url(
        new Uint8Array(await crypto.subtle.sign(algorithm, pair.privateKey, bytes)),
      )
    },
  }
}

const isPair = (found: unknown): found is CryptoKeyPair =>
  typeof found === 'object' && found !== null && 'privateKey' in found && 'publicKey' in found
