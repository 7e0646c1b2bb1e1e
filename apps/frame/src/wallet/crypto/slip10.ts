import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { type Bytes, concat, toBytes, utf8, wipe } from './bytes.ts'

const hardened = 0x8000_0000
const { Fn } = secp256k1.Point

/**
 * Derives the ed25519 private key at a path of hardened indexes, for example `[44, 501, 0, 0]`
 * (SLIP-0010).
 */
export function deriveEd25519(seed: Bytes, path: readonly number[]): Bytes {
  let node = toBytes(hmac(sha512, utf8('ed25519 seed'), seed))
  for (const index of path) {
    const next = deriveNode(node, [Uint8Array.of(0), keyOf(node)], hardened + index)
    wipe(node)
    node = next
  }
  return takeKey(node)
}

/**
 * Derives the secp256k1 private key at a path, for example `m/44'/60'/0'/0/0` (BIP-32). Of the
 * public keys on the way, computes only those that the path needs. Throws for a path that has no
 * key, which has a chance of 1 in 2^127.
 */
export function deriveSecp256k1(seed: Bytes, path: string): Bytes {
  let node = toBytes(hmac(sha512, utf8('Bitcoin seed'), seed))
  for (const part of path.split('/').slice(1)) {
    const isHardened = part.endsWith("'")
    const key = keyOf(node)
    const next = deriveNode(
      node,
      isHardened ? [Uint8Array.of(0), key] : [secp256k1.getPublicKey(key)],
      Number.parseInt(part, 10) + (isHardened ? hardened : 0),
    )
    const added = Fn.create(Fn.fromBytes(keyOf(next)) + Fn.fromBytes(key))
    if (!Fn.isValidNot0(added)) throw new Error('no key at this path')
    next.set(Fn.toBytes(added))
    wipe(node)
    node = next
  }
  return takeKey(node)
}

const keyOf = (node: Bytes) => node.subarray(0, 32)

/**
 * Returns 64 bytes: for ed25519 the child's key, for secp256k1 the scalar to add to its parent's
 * key; then the chain code.
 */
function deriveNode(parent: Bytes, key: readonly Uint8Array[], index: number): Bytes {
  const number = new Uint8Array(4)
  new DataView(number.buffer).setUint32(0, index)
  const data = concat(...key, number)
  const node = toBytes(hmac(sha512, parent.subarray(32), data))
  wipe(data)
  return node
}

function takeKey(node: Bytes): Bytes {
  const key = node.slice(0, 32)
  wipe(node)
  return key
}
