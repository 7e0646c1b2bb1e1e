import type { ChainId } from '@latchkey/wire'
import { badRequest, type Failure } from '../http/failure.ts'

/** The answer to requests for purchases, of which this server knows none. */
export const noPurchases = { data: [], next: null }

/** The failure of a request for the history of a network that has none here. */
export const activityOff = (chainId: ChainId): Failure =>
  badRequest('chainId', `Activity is off for ${chainId}. See /v1/supported-chains`)

/** The failure of a request with a cursor of another place. */
export const wrongCursor = badRequest(
  'cursor',
  'The cursor is not one of this address and chainId. Begin without one',
)

/** The failure while the source of a history is away. */
export const historyUnavailable = (retryAfterSeconds = 5): Failure => ({
  status: 503,
  field: 'provider',
  description: 'Transaction provider is temporarily unavailable',
  retryAfterSeconds,
})
