import type { Reply } from '../engine.ts'
import { object } from '../shape.ts'
import type { Method } from './method.ts'
import { done } from './shapes.ts'

/** Either side of a pairing asks whether the other is there. */
export const pairingPing = {
  name: 'wc_pairingPing',
  request: { tag: 1002, ttl: 30, prompt: false },
  response: { tag: 1003, ttl: 30, prompt: false },
  params: object({}),
  result: done,
} as const satisfies Method

/** The other side asks. */
export const onPairingPing = (): Reply => ({ result: true })
