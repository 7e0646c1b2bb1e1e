import type { ProofClaims } from '@latchkey/wire'
import { randomBytes, toBase64Url, utf8 } from '../wallet/crypto/bytes.ts'
import type { DeviceKey } from './deviceKey.ts'

const sha256 = async (text: string) =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))))

/**
 * Signs the proof of one request (DPoP, RFC 9449, with the body's hash). `token` is the access
 * token that the request carries.
 */
export async function signProof(
  key: DeviceKey,
  request: { path: string; body: string; nonce: string; token: string | undefined },
): Promise<string> {
  const { path, body, nonce, token } = request
  const claims: ProofClaims = {
    htm: 'POST',
    htu: path,
    jti: toBase64Url(randomBytes(16)),
    nonce,
    bh: await sha256(body),
    ...(token !== undefined && { ath: await sha256(token) }),
  }
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk }
  const text = [header, claims].map((part) => toBase64Url(utf8(JSON.stringify(part)))).join('.')
  return `${text}.${await key.sign(text)}`
}
