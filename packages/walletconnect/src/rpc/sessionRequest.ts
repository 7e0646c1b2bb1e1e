import { anything, object, optional, text } from '../shape.ts'
import type { Method } from './method.ts'
import { timestamp } from './shapes.ts'

/** An app calls a method of a chain; the time to live follows the request's expiry where it has one. */
export const sessionRequest = {
  name: 'wc_sessionRequest',
  request: { tag: 1108, ttl: 300, prompt: true },
  response: { tag: 1109, ttl: 300, prompt: false },
  params: object({
    request: object({
      method: text,
      params: optional(anything),
      expiryTimestamp: optional(timestamp),
    }),
    chainId: text,
  }),
  result: anything,
} as const satisfies Method

/** Least and greatest time a request may wait, in seconds. */
export const requestExpiry = { least: 300, greatest: 604_800 } as const
