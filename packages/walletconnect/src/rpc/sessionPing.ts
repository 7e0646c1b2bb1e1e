import { object } from '../shape.ts'
import type { Method } from './method.ts'
import { done } from './shapes.ts'

/** Either side asks whether the other is there; the specification's 30 s, as nobody waits longer for the answer. */
export const sessionPing = {
  name: 'wc_sessionPing',
  request: { tag: 1114, ttl: 30, prompt: false },
  response: { tag: 1115, ttl: 30, prompt: false },
  params: object({}),
  result: done,
} as const satisfies Method
