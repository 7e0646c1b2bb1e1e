import { encodeBase58, encodeBase64, LatchkeyError } from '@latchkey/wire'
import { bytesFromHex, encodeText } from '../crypto/bytes.ts'
import type { Curves, KeyPair } from '../crypto/curve.ts'
import { curves } from '../crypto/curves.ts'

/**
 * Claims of a relay token; times in seconds of Unix time. `iss` is the client's id, a `did:key`.
 */
export type RelayClaims = { iss: string; sub: string; aud: string; iat: number; exp?: number }

const lifetime = 86_400

/**
 * The relay's id of a client: the `did:key` of its Ed25519 public key (32 bytes, hex). Throws
 * RELAY_TOKEN_INVALID for a malformed key.
 */
export function getClientId(publicKey: string): string {
  const bytes = bytesFromHex(publicKey, 32)
  if (bytes === undefined) throw invalid('the key is malformed')
  // Multicodec ed25519-pub, then the key.
  return `did:key:z${encodeBase58(Uint8Array.of(0xed, 0x01, ...bytes))}`
}

/**
 * A token for one relay: `aud` is its address as configured, `sub` 32 random bytes in hex, `iat`
 * and `exp` (without it a day later) seconds of Unix time. Throws RELAY_TOKEN_INVALID for a
 * malformed key.
 */
export async function signRelayToken(
  identity: KeyPair,
  { sub, aud, iat, exp = iat + lifetime }: Omit<RelayClaims, 'iss'>,
  from: Curves = curves,
): Promise<string> {
  const payload: RelayClaims = { iss: getClientId(identity.publicKey), sub, aud, iat, exp }
  const signed = `${encodeJson({ alg: 'EdDSA', typ: 'JWT' })}.${encodeJson(payload)}`
  const signature = await from.sign(identity, encodeText(signed)).catch((cause: unknown) => {
    throw invalid('the key is malformed', cause)
  })
  return `${signed}.${encodeBase64(signature, 'base64url')}`
}

const invalid = (reason: string, cause?: unknown) =>
  new LatchkeyError('RELAY_TOKEN_INVALID', { data: { reason }, cause })

const encodeJson = (json: unknown) => encodeBase64(encodeText(JSON.stringify(json)), 'base64url')
