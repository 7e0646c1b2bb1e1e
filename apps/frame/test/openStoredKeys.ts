import { createMemoryStore, type KeyStore } from '../src/wallet/keyStore.ts'

type Jwks = { readonly privateKey: object; readonly publicKey: object }

type StoredBrowser = {
  readonly 'browser keys': {
    readonly wrap: object
    readonly device: Jwks
    readonly deviceKey: string
  }
  readonly [key: string]: unknown
}

const importKey = (key: object, algorithm: object | string, uses: KeyUsage[]) =>
  crypto.subtle.importKey('jwk', key as JsonWebKey, algorithm as AesKeyAlgorithm, false, uses)

async function importPair(
  { privateKey, publicKey }: Jwks,
  name: string,
  uses: KeyUsage[][],
): Promise<CryptoKeyPair> {
  const algorithm = { name, namedCurve: 'P-256' }
  return {
    privateKey: await importKey(privateKey, algorithm, uses[0] ?? []),
    publicKey: await crypto.subtle.importKey('jwk', publicKey, algorithm, true, uses[1] ?? []),
  }
}

/** The key that a stored browser's sessions are bound to. */
export const openSessionKey = (keys: Jwks): Promise<CryptoKeyPair> =>
  importPair(keys, 'ECDSA', [['sign'], ['verify']])

/** The store of a browser as an earlier version left it, its keys not extractable. */
export async function openStoredBrowser(stored: StoredBrowser): Promise<KeyStore> {
  const store = createMemoryStore()
  const { 'browser keys': keys, ...values } = stored
  for (const [key, value] of Object.entries(values)) await store.put(key, value)
  await store.put('browser keys', {
    wrap: await importKey(keys.wrap, 'AES-GCM', ['encrypt', 'decrypt']),
    device: await importPair(keys.device, 'ECDH', [['deriveBits']]),
    deviceKey: keys.deviceKey,
  })
  return store
}
