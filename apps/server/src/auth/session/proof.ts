import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { LatchkeyError, parseBoundedJson, proofClaims } from '@latchkey/wire'
import { calculateJwkThumbprint, compactVerify, EmbeddedJWK } from 'jose'
import * as z from 'zod'
import type { Auth } from '../auth.ts'
import { hashToken } from './tokens.ts'

/** The request of a proof. `token` is the access token, if there was one. */
export type ProvenRequest = {
  readonly method: string
  readonly path: string
  readonly body: Uint8Array
  readonly token: string | undefined
}

const nonceLifetimeMs = 5 * 60_000
const jtiLifetimeMs = 3 * nonceLifetimeMs
const proofMaxLength = 2_000

/** Creates a nonce: random, timed and authenticated by a MAC, so that it need not be stored. */
export function createNonce({ nonceKey, clock }: Pick<Auth, 'nonceKey' | 'clock'>): string {
  const head = Buffer.alloc(16)
  head.writeUIntBE(clock(), 0, 6)
  randomBytes(10).copy(head, 6)
  return Buffer.concat([head, computeMac(nonceKey, head)]).toString('base64url')
}

/**
 * Verifies a proof and returns the thumbprint of its key. Throws `PROOF_NONCE_NEEDED` if only the
 * nonce is missing or too old, and `PROOF_INVALID`. A proof is valid once.
 */
export async function checkProof(
  auth: Auth,
  { proof, proven }: { readonly proof: string | undefined; readonly proven: ProvenRequest },
): Promise<string> {
  const { jwk, claims } = await readProof(proof)
  const { method, path, body, token } = proven
  const right =
    claims.htm === method &&
    claims.htu === path &&
    claims.bh === sha256(body) &&
    claims.ath === (token === undefined ? undefined : sha256(Buffer.from(token)))
  if (!right) throw invalid()
  if (!isFresh(auth, claims.nonce)) throw new LatchkeyError('PROOF_NONCE_NEEDED')
  const jkt = await calculateJwkThumbprint(jwk)
  const stored = await auth.db
    .insertInto('proofs')
    .values({
      hash: hashToken(`${jkt} ${claims.jti}`),
      expires_at: new Date(auth.clock() + jtiLifetimeMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (stored.numInsertedOrUpdatedRows !== 1n) throw invalid()
  return jkt
}

const header = z.object({
  typ: z.literal('dpop+jwt'),
  jwk: z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
})

async function readProof(proof: string | undefined) {
  if (proof === undefined || proof.length > proofMaxLength) throw invalid()
  try {
    const { payload, protectedHeader } = await compactVerify(proof, EmbeddedJWK, {
      algorithms: ['ES256'],
    })
    const { jwk } = header.parse(protectedHeader)
    return { jwk, claims: z.parse(proofClaims, parseBoundedJson(Buffer.from(payload).toString())) }
  } catch (cause) {
    throw invalid(cause)
  }
}

// In both directions: the server's own clock may have been set back.
function isFresh({ nonceKey, clock }: Auth, nonce: string): boolean {
  const bytes = Buffer.from(nonce, 'base64url')
  if (bytes.length !== 32) return false
  const head = bytes.subarray(0, 16)
  if (!timingSafeEqual(computeMac(nonceKey, head), bytes.subarray(16))) return false
  return Math.abs(clock() - head.readUIntBE(0, 6)) < nonceLifetimeMs
}

const computeMac = (key: Uint8Array, head: Uint8Array) =>
  createHmac('sha256', key).update(head).digest().subarray(0, 16)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url')
const invalid = (cause?: unknown) => new LatchkeyError('PROOF_INVALID', { cause })
