import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import { invalidParameters } from '../../params.ts'

/** Each replacement costs at least a tenth more than the previous version. */
export const maxReplacements = 10

export const notPending = 'it is no longer pending, or this site did not send it'

export const refuseReplacement = (reason: string) =>
  new LatchkeyError('SIGNING_REFUSED', { data: { reason } })

const asked = z
  .array(
    z.object({
      hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/i)),
      action: z.enum(['speedUp', 'cancel']),
    }),
  )
  .check(z.length(1))

/** A replacement that the page requests; the hash is in lower case. */
export type ReplacementRequest = { readonly hash: string; readonly isCanceling: boolean }

/** Parses the parameters of wallet_replaceTransaction. Throws INVALID_PARAMS. */
export function parseReplacement(params: unknown): ReplacementRequest {
  const parsed = z.safeParse(asked, params)
  const one = parsed.success ? parsed.data[0] : undefined
  if (!one) throw invalidParameters('[{ hash, action }]: action is speedUp or cancel')
  return { hash: one.hash.toLowerCase(), isCanceling: one.action === 'cancel' }
}
