import { LatchkeyError } from '@latchkey/wire'

/** The error of a request whose parameters are not as they have to be. */
export const invalidParams = (reason: string): LatchkeyError =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** Throws UNAUTHORIZED unless `address` is the account. */
export function assertAccount(address: unknown, account: string): void {
  if (typeof address === 'string' && address.toLowerCase() === account.toLowerCase()) return
  throw new LatchkeyError('UNAUTHORIZED')
}
