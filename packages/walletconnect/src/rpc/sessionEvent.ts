import { anything, object, optional, text } from '../shape.ts'
import type { Method } from './method.ts'
import { done } from './shapes.ts'

/** A wallet tells of something, as `accountsChanged`; many clients do not answer. */
export const sessionEvent = {
  name: 'wc_sessionEvent',
  request: { tag: 1110, ttl: 300, prompt: true },
  response: { tag: 1111, ttl: 300, prompt: false },
  params: object({
    event: object({ name: text, data: optional(anything) }),
    chainId: text,
  }),
  result: done,
} as const satisfies Method
