import { integer, object, text } from '../shape.ts'
import type { Method } from './method.ts'
import { done } from './shapes.ts'

/** Either side ends a pairing and says why. */
export const pairingDelete = {
  name: 'wc_pairingDelete',
  request: { tag: 1000, ttl: 86_400, prompt: false },
  response: { tag: 1001, ttl: 86_400, prompt: false },
  params: object({ code: integer, message: text }),
  result: done,
} as const satisfies Method
