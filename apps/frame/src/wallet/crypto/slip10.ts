import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { type Bytes, concat, toBytes, utf8, wipe } from './bytes.ts'

const hardened = 0x8000_0000

/** The ed25519 private key at a path of hardened indexes, as `[44, 501, 0, 0]` (SLIP-0010). */
export function deriveEd25519(seed: Bytes, path: readonly number[]): Bytes {
  let node = toBytes(hmac(sha512, utf8('ed25519 seed'), seed))
  for (const index of path) {
    const number = new Uint8Array(4)
    new DataView(number.buffer).setUint32(0, hardened + index)
    const data = concat(Uint8Array.of(0), node.subarray(0, 32), number)
    const next = toBytes(hmac(sha512, node.subarray(32), data))
    wipe(node, data)
    node = next
  }
  const key = node.slice(0, 32)
  wipe(node)
  return key
}
