import { object, optional } from '../shape.ts'
import type { Method } from './method.ts'
import { done, timestamp } from './shapes.ts'

/** The wallet moves a session's end. Some clients name no time and mean seven days from now. */
export const sessionExtend = {
  name: 'wc_sessionExtend',
  request: { tag: 1106, ttl: 86_400, prompt: false },
  response: { tag: 1107, ttl: 86_400, prompt: false },
  params: object({ expiry: optional(timestamp) }),
  result: done,
} as const satisfies Method
