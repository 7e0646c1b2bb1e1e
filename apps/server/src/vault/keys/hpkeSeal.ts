import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import type { HpkeSealed } from '@latchkey/wire'
import { badInput } from '../../http/request/badInput.ts'
import { fromBase64Url, toBase64Url } from '../vault.ts'

const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer

/**
 * Encrypts to a device's key (RFC 9180, P-256, AES-256-GCM). `context` names the purpose and must
 * equal the frame's context.
 */
export async function hpkeSeal(
  publicKey: string,
  plain: Uint8Array,
  context: readonly (string | number)[],
): Promise<HpkeSealed> {
  const suite = createSuite()
  const info = toArrayBuffer(Buffer.from(['latchkey', 'v1', ...context].join('|')))
  const sender = await suite.createSenderContext({
    recipientPublicKey: await parsePublicKey(publicKey),
    info,
  })
  const ct = await sender.seal(toArrayBuffer(plain))
  return { enc: toBase64Url(new Uint8Array(sender.enc)), ct: toBase64Url(new Uint8Array(ct)) }
}

/** Throws `INVALID_PARAMS` if the key is not a point on the curve. */
export async function parsePublicKey(publicKey: string): Promise<CryptoKey> {
  try {
    return await createSuite().kem.deserializePublicKey(toArrayBuffer(fromBase64Url(publicKey)))
  } catch {
    throw badInput(
      'deviceKey',
      'deviceKey must be a point of P-256, such as "BAEC…" with 87 characters',
    )
  }
}

const createSuite = () =>
  new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  })
