import type { ChainId } from '@latchkey/wire'
import { badRequest, type Failure } from '../http/failure.ts'

/** The response to requests for purchases, which this server does not record. */
export const noPurchases = { data: [], next: null }

/** The failure of a request for the history of a network whose activity is off. */
export const activityOff = (chainId: ChainId): Failure =>
  badRequest('chainId', `Activity is off for ${chainId}. See /v1/supported-chains`)

/** The failure while the source of a history is unavailable. */
export const historyUnavailable = (retryAfterSeconds = 5): Failure => ({
  status: 503,
  field: 'provider',
  description: 'Transaction provider is temporarily unavailable',
  retryAfterSeconds,
})
