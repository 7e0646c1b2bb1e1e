import { LatchkeyError } from '@latchkey/wire'
import type { Engine, Inbound, Reply } from '../engine.ts'
import { callPeer } from '../send.ts'
import { findSessionRecord, getTarget } from '../session/session.ts'
import { object } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { done } from './shapes.ts'

/**
 * Checks whether the other side is online. Sent by either side, with the specification's 30 s,
 * because no side waits longer for the response.
 */
export const sessionPing = {
  name: 'wc_sessionPing',
  request: { tag: 1114, ttl: 30, prompt: false },
  response: { tag: 1115, ttl: 30, prompt: false },
  params: object({}),
  result: done,
} as const satisfies RpcMethod

/** Checks whether the other side is online. Throws NO_MATCHING_KEY, EXPIRED, TIMEOUT after 30 s. */
export async function pingPeer(engine: Engine, topic: string): Promise<void> {
  const record = findSessionRecord(engine, topic)
  const { relayUrl } = record.session
  const { ttl } = sessionPing.request
  const call = callPeer(engine, getTarget(record), {
    id: engine.nextId(relayUrl),
    method: sessionPing.name,
    params: {},
    expirySeconds: Math.floor(engine.nowMs(relayUrl) / 1000) + ttl,
    ...sessionPing.request,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LatchkeyError('TIMEOUT')), ttl * 1000)
  })
  try {
    await Promise.race([call.sent, call.answer, end])
    await Promise.race([call.answer, end])
  } finally {
    clearTimeout(timer)
    call.forget()
  }
}

/** Responds to a ping of the other side. */
export function onPing({ journal }: Engine, { place: { topic }, id }: Inbound): Reply {
  journal.emit('session_ping', { topic }, `${topic}/${id}`)
  return { result: true }
}
