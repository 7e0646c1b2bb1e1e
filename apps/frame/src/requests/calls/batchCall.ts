import { LatchkeyError } from '@latchkey/wire'
import type { Hex } from 'viem'
import { executesWithin } from '../../executesWithin.ts'
import { invalidParams } from '../params.ts'

/** One call of a batch (EIP-5792). */
export type BatchCall = { readonly to: Hex; readonly value: bigint; readonly data: Hex }

const maxCalls = 20
const maxDataBytes = 24_000

/**
 * Throws BATCH_TOO_LARGE, INVALID_PARAMS for an impossible value, and REQUEST_NOT_ALLOWED for
 * nested calls.
 */
export function assertLimits(calls: readonly BatchCall[], account: Hex): void {
  if (calls.length > maxCalls) throw new LatchkeyError('BATCH_TOO_LARGE')
  const bytes = calls.reduce((sum, { data }) => sum + data.length / 2 - 1, 0)
  if (bytes > maxDataBytes) throw new LatchkeyError('BATCH_TOO_LARGE')
  if (calls.reduce((sum, { value }) => sum + value, 0n) >= 1n << 256n) throw invalidParams('value')
  if (calls.some((one) => executesWithin(account, one)))
    throw new LatchkeyError('REQUEST_NOT_ALLOWED')
}
