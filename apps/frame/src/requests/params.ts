import { LatchkeyError } from '@latchkey/wire'

/** The error for invalid request parameters. */
export const invalidParams = (reason: string): LatchkeyError =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** Throws UNAUTHORIZED unless `address` is the account. */
export function assertAccount(address: unknown, account: string): void {
  if (typeof address === 'string' && address.toLowerCase() === account.toLowerCase()) return
  throw new LatchkeyError('UNAUTHORIZED')
}
