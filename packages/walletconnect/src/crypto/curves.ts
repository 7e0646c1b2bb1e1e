import { decodeBase64, encodeBase64 } from '@latchkey/wire'
import { bytesToHex } from '@noble/hashes/utils.js'
import { keyFromHex } from './bytes.ts'
import type { Curves } from './curve.ts'

const key = (hex: string) => Uint8Array.from(keyFromHex(hex))

const buffer = (bytes: Uint8Array) => Uint8Array.from(bytes)

const base64url = (hex: string) => encodeBase64(key(hex), 'base64url')

const hexFromJwk = (text: string | undefined) => {
  const bytes = decodeBase64(text ?? '', 'base64url')
  if (bytes?.length !== 32) throw new TypeError('not a 32-byte key')
  return bytesToHex(bytes)
}

// PKCS #8 header of a raw X25519 private key (RFC 8410).
const pkcs8Header = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 110, 4, 34, 4, 32]

/** The platform's own curves (WebCrypto): only in secure contexts of recent browsers. */
export const webCurves: Curves = {
  async generate(curve) {
    const usages: KeyUsage[] = curve === 'X25519' ? ['deriveBits'] : ['sign', 'verify']
    const pair = (await crypto.subtle.generateKey({ name: curve }, true, usages)) as CryptoKeyPair
    const { d, x } = await crypto.subtle.exportKey('jwk', pair.privateKey)
    return { publicKey: hexFromJwk(x), privateKey: hexFromJwk(d) }
  },
  async agree(privateKey, peerPublicKey) {
    const pkcs8 = Uint8Array.from([...pkcs8Header, ...key(privateKey)])
    const own = await crypto.subtle.importKey('pkcs8', pkcs8, 'X25519', false, ['deriveBits'])
    const peer = await crypto.subtle.importKey('raw', key(peerPublicKey), 'X25519', true, [])
    const bits = await crypto.subtle.deriveBits({ name: 'X25519', public: peer }, own, 256)
    const shared = new Uint8Array(bits)
    // Engines differ in whether they refuse a point of small order.
    if (shared.every((byte) => byte === 0)) throw new TypeError('the peer key has a small order')
    return shared
  },
  async sign({ publicKey, privateKey }, data) {
    const jwk = { kty: 'OKP', crv: 'Ed25519', d: base64url(privateKey), x: base64url(publicKey) }
    const own = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign'])
    return new Uint8Array(await crypto.subtle.sign('Ed25519', own, buffer(data)))
  },
  async verify(publicKey, signature, data) {
    const peer = await crypto.subtle.importKey('raw', key(publicKey), 'Ed25519', true, ['verify'])
    return crypto.subtle.verify('Ed25519', peer, buffer(signature), buffer(data))
  },
}

// The JavaScript version is larger than the rest of this package, and few browsers need it.
const scripted = async () => (await import('./scriptCurves.ts')).scriptCurves

/** The platform's curves, or the JavaScript version if the platform does not have them or fails. */
export const curves: Curves = {
  generate: (curve) =>
    webCurves.generate(curve).catch(async () => (await scripted()).generate(curve)),
  agree: (own, peer) =>
    webCurves.agree(own, peer).catch(async () => (await scripted()).agree(own, peer)),
  sign: (keys, data) =>
    webCurves.sign(keys, data).catch(async () => (await scripted()).sign(keys, data)),
  verify: (publicKey, signature, data) =>
    webCurves
      .verify(publicKey, signature, data)
      .catch(async () => (await scripted()).verify(publicKey, signature, data)),
}
