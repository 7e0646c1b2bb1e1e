import type { Request } from '../request.ts'
import { invalidResponse, toValue } from './nodeResponses.ts'

/** The network's status of a transaction. */
export type Status = {
  isConfirmed: boolean
  isFinal: boolean
  hasFailed: boolean
}

/** The state of a transaction; undefined while no block contains it. Throws ANSWER_INVALID. */
export async function readStatus(node: Request, signature: string): Promise<Status | undefined> {
  const settings = { searchTransactionHistory: true }
  const statuses = toValue(await node('getSignatureStatuses', [[signature], settings]))
  if (!Array.isArray(statuses)) throw invalidResponse()
  const status: unknown = statuses[0]
  if (status === null || status === undefined) return undefined
  const { confirmationStatus, err } = status as Record<string, unknown>
  const isFinal = confirmationStatus === 'finalized'
  return {
    isConfirmed: isFinal || confirmationStatus === 'confirmed',
    isFinal,
    hasFailed: err !== null && err !== undefined,
  }
}
