import { LatchkeyError } from '@latchkey/wire'
import type { Hex } from 'viem'
import { isSelfExecution } from '../../isSelfExecution.ts'
import { invalidParameters } from '../params.ts'

/** One call of a batch (EIP-5792). */
export type BatchedCall = { readonly to: Hex; readonly value: bigint; readonly data: Hex }

const maxCalls = 20
const maxDataBytes = 24_000

/**
 * Throws BATCH_TOO_LARGE, INVALID_PARAMS for an impossible value, and REQUEST_NOT_ALLOWED for
 * nested calls.
 */
export function assertLimits(calls: readonly BatchedCall[], account: Hex): void {
  if (calls.length > maxCalls) throw new LatchkeyError('BATCH_TOO_LARGE')
  const bytes = calls.reduce((sum, { data }) => sum + data.length / 2 - 1, 0)
  if (bytes > maxDataBytes) throw new LatchkeyError('BATCH_TOO_LARGE')
  if (calls.reduce((sum, { value }) => sum + value, 0n) >= 1n << 256n)
    throw invalidParameters('value')
  if (calls.some((one) => isSelfExecution(account, one)))
    throw new LatchkeyError('REQUEST_NOT_ALLOWED')
}
