import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'

type SignedHash = { signature: Uint8Array; hash: Uint8Array; publicKey: Uint8Array }

/** Whether a DER signature with a low S, as nodes require, is by a key over a hash. */
export function verifyEcdsa({ signature, hash, publicKey }: SignedHash): boolean {
  const options = { format: 'der', prehash: false, lowS: true } as const
  return secp256k1.verify(signature, hash, publicKey, options)
}

/** Whether a 64-byte signature is by an x-only key over a hash (BIP-340). */
export const verifySchnorr = ({ signature, hash, publicKey }: SignedHash): boolean =>
  schnorr.verify(signature, hash, publicKey)
