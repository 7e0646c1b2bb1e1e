import type { Reply } from '../engine.ts'
import { object } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { done } from './shapes.ts'

/** Checks whether the other side of a pairing is online. Sent by either side. */
export const pairingPing = {
  name: 'wc_pairingPing',
  request: { tag: 1002, ttl: 30, prompt: false },
  response: { tag: 1003, ttl: 30, prompt: false },
  params: object({}),
  result: done,
} as const satisfies RpcMethod

/** Responds to a ping of the other side. */
export const onPairingPing = (): Reply => ({ result: true })
