import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { keyFromHex } from './bytes.ts'
import type { Curves } from './curve.ts'

/** Curve25519 in JavaScript, for browsers and contexts without WebCrypto's. */
export const scriptCurves: Curves = {
  async generate(curve) {
    const pair = (curve === 'X25519' ? x25519 : ed25519).keygen()
    return { publicKey: bytesToHex(pair.publicKey), privateKey: bytesToHex(pair.secretKey) }
  },
  async agree(privateKey, peerPublicKey) {
    return x25519.getSharedSecret(keyFromHex(privateKey), keyFromHex(peerPublicKey))
  },
  async sign({ privateKey }, data) {
    return ed25519.sign(data, keyFromHex(privateKey))
  },
  async verify(publicKey, signature, data) {
    if (signature.length !== 64) return false
    return ed25519.verify(signature, data, keyFromHex(publicKey), { zip215: false })
  },
}
