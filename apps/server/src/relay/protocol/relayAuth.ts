import { createPublicKey, verify } from 'node:crypto'
import { decodeBase58, decodeBase64, parseBoundedJson } from '@latchkey/wire'
import { z } from 'zod'

/**
 * The client's id, or the reason why its token is refused, which is sent with close code 3000 (at
 * most 123 bytes).
 */
export type RelayAuth = { readonly clientId: string } | { readonly reason: string }

/** The clock difference that is tolerated in both directions. */
const leewaySeconds = 120
const tokenMaxLength = 4096
const reasonMaxLength = 123
/** `ed25519-pub` of the multicodec table. */
const keyPrefix = [0xed, 0x01] as const
/** The prefix of an Ed25519 SubjectPublicKeyInfo before the 32 key bytes (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

const headerSchema = z.object({ alg: z.literal('EdDSA'), typ: z.literal('JWT') })
const seconds = z.int().min(0)
const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.string(),
  iat: seconds,
  exp: seconds.optional(),
})

/**
 * Verifies the token of a relay client: it must be signed with Ed25519 by its issuer's key, its
 * audience must be in `audiences` (our addresses; a trailing slash is ignored), and it must be
 * valid now. The issuer, a `did:key`, is the client's id and the address of its mailbox. Never
 * throws.
 */
export function verifyRelayAuth(
  token: string | undefined,
  parameters: { readonly audiences: readonly string[]; readonly nowSeconds: number },
): RelayAuth {
  if (!token) return refuse('JWT Token is missing')
  const parts = token.length > tokenMaxLength ? [] : token.split('.')
  const [header, payload, signature] = parts
  if (parts.length !== 3 || !header || !payload || !signature)
    return refuse('JWT Token is malformed')
  const claims = claimsSchema.safeParse(decodeJson(payload)).data
  if (!headerSchema.safeParse(decodeJson(header)).success || !claims)
    return refuse('JWT Token is malformed')

  const key = parseKey(claims.iss)
  if (!key) return refuse('JWT Token issuer is not a did:key of Ed25519')
  const signatureBytes = decodeBase64(signature, 'base64url')
  if (signatureBytes?.length !== 64) return refuse('JWT Token signature is not valid')
  const publicKey = createPublicKey({
    key: Buffer.concat([spkiPrefix, key]),
    format: 'der',
    type: 'spki',
  })
  if (!verify(null, Buffer.from(`${header}.${payload}`), publicKey, signatureBytes))
    return refuse('JWT Token signature is not valid')
  return checkClaims(claims, parameters)
}

function checkClaims(
  { iss, aud, iat, exp }: z.infer<typeof claimsSchema>,
  { audiences, nowSeconds }: { readonly audiences: readonly string[]; readonly nowSeconds: number },
): RelayAuth {
  if (!audiences.some((audience) => withoutSlash(audience) === withoutSlash(aud)))
    return refuse('JWT Token audience is not this relay')
  const latest = Math.floor(nowSeconds) + leewaySeconds
  if (iat > latest)
    return refuse(
      `JWT Token is not yet valid: basic.iat: ${iat}, now + time_leeway: ${latest}, time_leeway: ${leewaySeconds}`,
    )
  const earliest = Math.floor(nowSeconds) - leewaySeconds
  if (exp !== undefined && exp < earliest)
    return refuse(
      `JWT Token is expired: basic.exp: ${exp}, now - time_leeway: ${earliest}, time_leeway: ${leewaySeconds}`,
    )
  return { clientId: iss }
}

// Clients compare the beginning of this message.
const refuse = (cause: string): RelayAuth => ({
  reason: `JWT validation error: ${cause}`.slice(0, reasonMaxLength),
})

const withoutSlash = (url: string) => url.replace(/\/$/, '')

function parseKey(issuer: string): Uint8Array | undefined {
  const encoded = /^did:key:z([1-9A-Za-z]{40,50})$/.exec(issuer)?.[1]
  const bytes = encoded === undefined ? undefined : decodeBase58(encoded)
  if (bytes?.length !== 34 || bytes[0] !== keyPrefix[0] || bytes[1] !== keyPrefix[1])
    return undefined
  return bytes.subarray(2)
}

function decodeJson(part: string): unknown {
  try {
    return parseBoundedJson(utf8.decode(decodeBase64(part, 'base64url')))
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
