import { mnemonic } from '../requests/getSigner.ts'

// The PKCS #8 prefix of the 32 bytes of an Ed25519 key (RFC 8410).
const pkcs8Start = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]

/** Signs bytes with the throw-away Ed25519 key of this index. */
export async function signSolana(index: number, message: Uint8Array): Promise<Uint8Array> {
  const pkcs8 = Uint8Array.from([...pkcs8Start, ...(await deriveKey([44, 501, index, 0]))])
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('Ed25519', key, Uint8Array.from(message)))
}

const toBytes = (text: string) => new TextEncoder().encode(text)

/** SLIP-10 for Ed25519, where every step is hardened. */
async function deriveKey(path: readonly number[]): Promise<Uint8Array> {
  const words = await crypto.subtle.importKey('raw', toBytes(mnemonic), 'PBKDF2', false, [
    'deriveBits',
  ])
  const bip39 = { name: 'PBKDF2', hash: 'SHA-512', salt: toBytes('mnemonic'), iterations: 2_048 }
  const seed = new Uint8Array(await crypto.subtle.deriveBits(bip39, words, 512))
  let node = await mac(toBytes('ed25519 seed'), seed)
  for (const step of path) {
    const number = new Uint8Array(4)
    new DataView(number.buffer).setUint32(0, step + 0x8000_0000)
    node = await mac(node.slice(32), Uint8Array.from([0, ...node.slice(0, 32), ...number]))
  }
  return node.slice(0, 32)
}

async function mac(key: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>) {
  const hmac = { name: 'HMAC', hash: 'SHA-512' }
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}
