import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import { accounts } from '../accounts.ts'
import type { State } from '../state.ts'
import { currentAccount } from '../state.ts'

export const invalidParams = (reason: string): LatchkeyError =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** Parses parameters. Throws INVALID_PARAMS with the path of the first invalid value. */
export function parseParams<Schema extends z.ZodMiniType>(
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  const parsed = z.safeParse(schema, params)
  if (!parsed.success) throw invalidParams(String(parsed.error.issues[0]?.path.join('.')))
  return parsed.data
}

/**
 * The index of the account that a page names. Throws UNAUTHORIZED unless it is the account in use.
 */
export function accountIndex(state: State, address: unknown): number {
  const current = currentAccount(state)
  if (typeof address !== 'string' || address.toLowerCase() !== current.toLowerCase())
    throw new LatchkeyError('UNAUTHORIZED')
  return accounts.indexOf(current)
}
