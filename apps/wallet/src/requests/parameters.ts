import { LatchkeyError } from '@latchkey/wire'
import { accounts } from '../accounts.ts'
import type { State } from '../state.ts'
import { currentAccount } from '../state.ts'

export const invalidParams = (reason: string): LatchkeyError =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** Index of the account a page names. Throws UNAUTHORIZED when it is not the one in use. */
export function accountIndex(state: State, address: unknown): number {
  const current = currentAccount(state)
  if (typeof address !== 'string' || address.toLowerCase() !== current.toLowerCase())
    throw new LatchkeyError('UNAUTHORIZED')
  return accounts.indexOf(current)
}
