import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, concat, toBytes, utf8 } from '../crypto/bytes.ts'
import { signDigest } from '../crypto/digests.ts'

/** `personal_sign` (EIP-191, version 0x45): bytes under Ethereum's prefix. */
export function signEvmMessage(message: Uint8Array, key: Bytes): `0x${string}` {
  const prefix = utf8(`\x19Ethereum Signed Message:\n${message.length}`)
  return signDigest(toBytes(keccak_256(concat(prefix, message))), key)
}
