import { integer, object, text } from '../shape.ts'
import type { Method } from './method.ts'
import { done } from './shapes.ts'

/** Either side ends a session and says why. */
export const sessionDelete = {
  name: 'wc_sessionDelete',
  request: { tag: 1112, ttl: 86_400, prompt: false },
  response: { tag: 1113, ttl: 86_400, prompt: false },
  params: object({ code: integer, message: text }),
  result: done,
} as const satisfies Method
