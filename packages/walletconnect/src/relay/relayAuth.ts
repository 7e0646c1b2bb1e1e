import { LatchkeyError } from '@latchkey/wire'
import { decodeBytes, encodeBytes, textOf, utf8 } from '../crypto/bytes.ts'
import type { Curves, KeyPair } from '../crypto/curve.ts'
import { curves } from '../crypto/curves.ts'
import { exactly, integer, object, optional, readJson, type Shape, text } from '../shape.ts'
import { fromDidKey, toDidKey } from './didKey.ts'

/** Claims of a relay token; times in seconds of Unix time. `iss` is the client's id, a `did:key`. */
export type RelayClaims = { iss: string; sub: string; aud: string; iat: number; exp?: number }

const header = object({ alg: exactly('EdDSA'), typ: exactly('JWT') })
const claims = object({
  iss: text,
  sub: text,
  aud: text,
  iat: integer,
  exp: optional(integer),
})

const lifetime = 86_400
const leeway = 120
const maxTokenLength = 4096

/** Id under which the relay knows the holder of an identity. Throws RELAY_TOKEN_INVALID for a malformed key. */
export function getClientId(publicKey: string): string {
  const did = toDidKey(publicKey)
  if (did === undefined) throw invalid('the key is malformed')
  return did
}

/**
 * A token for one relay: `aud` is its address as configured, `sub` 32 random bytes in hex, `iat` and `exp`
 * (without it a day later) seconds of Unix time. Throws RELAY_TOKEN_INVALID for a malformed key.
 */
export async function signRelayToken(
  identity: KeyPair,
  { sub, aud, iat, exp = iat + lifetime }: Omit<RelayClaims, 'iss'>,
  from: Curves = curves,
): Promise<string> {
  const payload: RelayClaims = {
    iss: getClientId(identity.publicKey),
    sub,
    aud,
    iat,
    exp,
  }
  const signed = `${encodeJson({ alg: 'EdDSA', typ: 'JWT' })}.${encodeJson(payload)}`
  const signature = await from.sign(identity, utf8(signed)).catch((cause: unknown) => {
    throw invalid('the key is malformed', cause)
  })
  return `${signed}.${encodeBytes(signature, 'base64url')}`
}

/**
 * Claims of a token that is signed by its issuer, for one of `audiences`, and valid at `nowSeconds` give or take 120 s.
 * Throws RELAY_TOKEN_INVALID.
 */
export async function verifyRelayToken(
  token: string,
  { audiences, nowSeconds }: { audiences: readonly string[]; nowSeconds: number },
  from: Curves = curves,
): Promise<RelayClaims> {
  if (token.length > maxTokenLength) throw invalid('it is too long')
  const [head = '', body = '', tail = '', ...rest] = token.split('.')
  const signature = decodeBytes(tail, 'base64url')
  if (rest.length > 0 || signature?.length !== 64) throw invalid('it is malformed')
  decodeJson(header, head)
  const { exp, ...found } = decodeJson(claims, body)
  const publicKey = fromDidKey(found.iss)
  if (publicKey === undefined) throw invalid('its issuer is no Ed25519 key')
  if (!audiences.includes(found.aud)) throw invalid('it is for another relay')
  if (found.iat > nowSeconds + leeway) throw invalid('JWT Token is not yet valid')
  if (exp !== undefined && exp < nowSeconds - leeway) throw invalid('it has expired')
  const isSigned = await from
    .verify(publicKey, signature, utf8(`${head}.${body}`))
    .catch(() => false)
  if (!isSigned) throw invalid('its signature is wrong')
  return exp === undefined ? found : { ...found, exp }
}

const invalid = (reason: string, cause?: unknown) =>
  new LatchkeyError('RELAY_TOKEN_INVALID', { data: { reason }, cause })

const encodeJson = (json: unknown) => encodeBytes(utf8(JSON.stringify(json)), 'base64url')

function decodeJson<Value>(shape: Shape<Value>, part: string): Value {
  const bytes = decodeBytes(part, 'base64url')
  const found = readJson(shape, bytes && textOf(bytes))
  if (found === undefined) throw invalid('it is malformed')
  return found
}
