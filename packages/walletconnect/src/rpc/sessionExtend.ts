import { protocolError } from '../codes.ts'
import type { Engine, Inbound, Reply } from '../engine.ts'
import { post } from '../send.ts'
import {
  changeSession,
  findOwnSession,
  getTarget,
  isStale,
  sessionSeconds,
  withLastId,
} from '../session/session.ts'
import { object, optional, read } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { done, timestamp } from './shapes.ts'

/** The wallet moves a session's end. Some clients send no time, which means seven days from now. */
export const sessionExtend = {
  name: 'wc_sessionExtend',
  request: { tag: 1106, ttl: 86_400, prompt: false },
  response: { tag: 1107, ttl: 86_400, prompt: false },
  params: object({ expiry: optional(timestamp) }),
  result: done,
} as const satisfies RpcMethod

const leewaySeconds = 600

const inSevenDays = (engine: Engine, relayUrl: string) =>
  Math.floor(engine.nowMs(relayUrl) / 1000) + sessionSeconds

/** Wallet: moves the end to seven days from now. Throws NO_MATCHING_KEY, EXPIRED. */
export async function extendSession(engine: Engine, topic: string): Promise<void> {
  const record = findOwnSession(engine, topic)
  const { relayUrl } = record.session
  const id = engine.nextId(relayUrl, record.lastIds.extend)
  const expirySeconds = Math.max(record.session.expirySeconds, inSevenDays(engine, relayUrl))
  changeSession(engine, withLastId(record, 'extend', id), { expirySeconds })
  engine.journal.emitElsewhere('session_extend', { topic, expirySeconds }, `${topic}/${id}`)
  const rpc = { id, method: sessionExtend.name, params: { expiry: expirySeconds } }
  await post(engine, getTarget(record), rpc, sessionExtend.request)
}

/**
 * App: the wallet moved the expiry. It is never moved to an earlier time, and to at most seven days
 * from now.
 */
export function onExtend(engine: Engine, { place, id, params }: Inbound): Reply | undefined {
  if (place.kind !== 'session') return undefined
  const { record, topic, relayUrl } = place
  if (record.session.isController) return { error: protocolError('UNAUTHORIZED_EXTEND_REQUEST') }
  const found = read(sessionExtend.params, params)
  const latest = inSevenDays(engine, relayUrl)
  const expirySeconds = found?.expiry ?? latest
  const isWrong =
    found === undefined ||
    isStale(record, 'extend', id) ||
    expirySeconds < record.session.expirySeconds ||
    expirySeconds > latest + leewaySeconds
  if (isWrong) return { error: protocolError('INVALID_EXTEND_REQUEST') }
  changeSession(engine, withLastId(record, 'extend', id), { expirySeconds })
  if (expirySeconds !== record.session.expirySeconds)
    engine.journal.emit('session_extend', { topic, expirySeconds }, `${topic}/${id}`)
  return { result: true }
}
