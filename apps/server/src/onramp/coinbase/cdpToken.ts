import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'

const lifetimeSeconds = 120

type CdpKey = { readonly key: KeyObject; readonly alg: 'ES256' | 'EdDSA' }

/**
 * The private key of a CDP Secret API Key: an EC key (P-256) in PEM, or base64 of the 64 bytes of
 * an Ed25519 key (its seed, then its public key). Undefined if it is neither.
 */
function readCdpKey(secret: string): CdpKey | undefined {
  try {
    if (secret.includes('-----BEGIN')) {
      // If copied from the portal, its lines may end with \n in two characters.
      const key = createPrivateKey(secret.replaceAll('\\n', '\n'))
      const isP256 = key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
      return isP256 ? { key, alg: 'ES256' } : undefined
    }
    const bytes = Buffer.from(secret, 'base64')
    if (bytes.length !== 64) return undefined
    const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) =>
      half.toString('base64url'),
    )
    const jwk = { kty: 'OKP', crv: 'Ed25519', d: d ?? '', x: x ?? '' }
    return { key: createPrivateKey({ key: jwk, format: 'jwk' }), alg: 'EdDSA' }
  } catch {
    return undefined
  }
}

/** Whether a string is the secret of a CDP key. */
export const isCdpKey = (secret: string): boolean => readCdpKey(secret) !== undefined

/**
 * The bearer token for one request to Coinbase's API. It names the request, so it is not valid for
 * any other, and expires after 2 minutes.
 */
export async function signCdpToken(
  { keyId, keySecret }: { readonly keyId: string; readonly keySecret: string },
  { method, url, nowMs }: { readonly method: string; readonly url: URL; readonly nowMs: number },
): Promise<string> {
  const found = readCdpKey(keySecret)
  if (found === undefined) throw new Error('The CDP key is not valid')
  const now = Math.floor(nowMs / 1000)
  return new SignJWT({ uris: [`${method} ${url.host}${url.pathname}`] })
    .setProtectedHeader({
      alg: found.alg,
      kid: keyId,
      typ: 'JWT',
      nonce: randomBytes(16).toString('hex'),
    })
    .setIssuer('cdp')
    .setSubject(keyId)
    .setNotBefore(now)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(found.key)
}
