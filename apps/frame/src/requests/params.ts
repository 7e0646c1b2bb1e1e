import { LatchkeyError } from '@latchkey/wire'

/** The error for invalid request parameters. */
export const invalidParams = (reason: string): LatchkeyError =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** Throws UNAUTHORIZED unless `address` is the account. */
export function assertAccount(address: unknown, account: string): void {
  if (typeof address === 'string' && address.toLowerCase() === account.toLowerCase()) return
  throw new LatchkeyError('UNAUTHORIZED')
}

/** A quantity of a node's answer. Throws ANSWER_INVALID. */
export function toBig(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw new LatchkeyError('ANSWER_INVALID')
  return BigInt(value)
}
