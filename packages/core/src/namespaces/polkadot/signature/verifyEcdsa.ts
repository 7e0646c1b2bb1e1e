import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'

/**
 * Whether a signature (64 bytes and the recovery bit) over a message's hash is by the key behind an
 * account, which is that key's hash. Returns false for malformed input.
 */
export function verifyPolkadotEcdsa(parameters: {
  account: Uint8Array
  message: Uint8Array
  signature: Uint8Array
}): boolean {
  const { account, message, signature } = parameters
  try {
    const key = secp256k1.Signature.fromBytes(signature.slice(0, 64), 'compact')
      .addRecoveryBit(signature[64] ?? -1)
      .recoverPublicKey(hash(message))
      .toBytes(true)
    return hash(key).every((byte, index) => byte === account[index])
  } catch {
    return false
  }
}

const hash = (bytes: Uint8Array) => blake2b(bytes, { dkLen: 32 })
