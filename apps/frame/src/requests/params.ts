import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'

/** The error for invalid request parameters. */
export const invalidParameters = (reason: string): LatchkeyError =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** Throws UNAUTHORIZED unless `address` is the account. */
export function assertAccount(address: unknown, account: string): void {
  if (typeof address === 'string' && address.toLowerCase() === account.toLowerCase()) return
  throw new LatchkeyError('UNAUTHORIZED')
}

/** Parses a quantity in a node's response. Throws ANSWER_INVALID. */
export function toBig(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw new LatchkeyError('ANSWER_INVALID')
  return BigInt(value)
}

/** A call's value in the form that pages send. `''` and `0x` mean that the value is left out. */
export const optionalValue = z.optional(z.string().check(z.regex(/^(0x[0-9a-f]{0,64})?$/i)))

/** A call's data in the form that pages send. `''` means that the data is left out. */
export const optionalBytes = z.optional(
  z.string().check(z.regex(/^(0x([0-9a-f]{2})*)?$/i), z.maxLength(262_146)),
)

/** The value of {@link optionalValue} in wei. */
export const readValue = (value: string | undefined): bigint => BigInt(value?.slice(2) ? value : 0)
