import { type ProtocolError, protocolError } from '../codes.ts'
import type { Engine, Inbound, Reply } from '../engine.ts'
import { post } from '../send.ts'
import { findSessionRecord, getTarget, removeSession } from '../session/session.ts'
import { integer, object, read, string } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { done } from './shapes.ts'

/** Ends a session, with a reason. Sent by either side. */
export const sessionDelete = {
  name: 'wc_sessionDelete',
  request: { tag: 1112, ttl: 86_400, prompt: false },
  response: { tag: 1113, ttl: 86_400, prompt: false },
  params: object({ code: integer, message: string }),
  result: done,
} as const satisfies RpcMethod

const patienceMs = 3000

/**
 * Ends a session here, then notifies the other side. Waits at most 3 s for the relay; if the relay
 * cannot be reached, the message is sent later. Throws NO_MATCHING_KEY.
 */
export async function deleteSession(
  engine: Engine,
  topic: string,
  { code, message }: ProtocolError = protocolError('USER_DISCONNECTED'),
): Promise<void> {
  const record = engine.records.sessions.get(topic) ?? findSessionRecord(engine, topic)
  const reason = { code, message }
  removeSession(engine, topic)
  engine.journal.emitElsewhere('session_delete', { topic, reason }, topic)
  const id = engine.nextId(record.session.relayUrl)
  const rpc = { id, method: sessionDelete.name, params: reason }
  const sent = post(engine, getTarget(record), rpc, sessionDelete.request).catch(() => {})
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  await Promise.race([sent, patience])
  clearTimeout(timer)
}

/** The other side ended the session. */
export function onDelete(engine: Engine, { place, params }: Inbound): Reply {
  const { topic } = place
  const reason = read(sessionDelete.params, params) ?? protocolError('USER_DISCONNECTED')
  removeSession(engine, topic)
  engine.journal.emit('session_delete', { topic, reason }, topic)
  return { result: true }
}
