import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import type { HpkeSealed } from '@latchkey/wire'
import { type Bytes, fromBase64Url, toBase64Url, toBytes, utf8 } from './bytes.ts'

/**
 * RFC 9180 base mode. P-256, because every browser keeps its private keys non-extractable and on
 * disk.
 */
const createSuite = () =>
  new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  })

/** The purpose of a sealed text; it does not open in another context. */
export type HpkeContext = readonly (string | number)[]

const contextText = (context: HpkeContext): string => ['latchkey', 'v1', ...context].join('|')

/** Seals to an uncompressed P-256 point (base64url). Throws if the point is not on the curve. */
export async function hpkeSeal(
  publicKey: string,
  plain: Bytes,
  context: HpkeContext,
): Promise<HpkeSealed> {
  const suite = createSuite()
  const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64Url(publicKey).buffer)
  const info = utf8(contextText(context)).buffer
  const sender = await suite.createSenderContext({ recipientPublicKey, info })
  const ct = await sender.seal(plain.buffer)
  return { enc: toBase64Url(toBytes(sender.enc)), ct: toBase64Url(toBytes(ct)) }
}

/** Opens what was sealed to `key`'s public half for the same context. Throws otherwise. */
export async function hpkeOpen(
  key: CryptoKeyPair,
  sealed: HpkeSealed,
  context: HpkeContext,
): Promise<Bytes> {
  const info = utf8(contextText(context)).buffer
  const recipient = await createSuite().createRecipientContext({
    recipientKey: key,
    enc: fromBase64Url(sealed.enc).buffer,
    info,
  })
  return toBytes(await recipient.open(fromBase64Url(sealed.ct).buffer))
}

/**
 * The key pair of a recovery key of 32 bytes (RFC 9180 DeriveKeyPair), and its public half as
 * base64url.
 */
export async function deriveRecoveryKeyPair(
  recoveryKey: Bytes,
): Promise<{ pair: CryptoKeyPair; publicKey: string }> {
  const suite = createSuite()
  const pair = await suite.kem.deriveKeyPair(recoveryKey.slice().buffer)
  return { pair, publicKey: await exportPublicKey(pair) }
}

/** The public half as uncompressed point, base64url. */
export async function exportPublicKey(pair: CryptoKeyPair): Promise<string> {
  return toBase64Url(toBytes(await crypto.subtle.exportKey('raw', pair.publicKey)))
}
