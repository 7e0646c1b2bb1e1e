import { LatchkeyError } from '@latchkey/wire'
import type { Engine, Inbound } from '../engine.ts'
import { post } from '../send.ts'
import { approvedOn, getApprovedChain } from '../session/namespaces.ts'
import { findOwnSession, getTarget, isStale, withLastId } from '../session/session.ts'
import { object, optional, read, string, unknown } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { done } from './shapes.ts'

/** An event of a wallet, for example `accountsChanged`. Many clients do not respond to it. */
export const sessionEvent = {
  name: 'wc_sessionEvent',
  request: { tag: 1110, ttl: 300, prompt: true },
  response: { tag: 1111, ttl: 300, prompt: false },
  params: object({ event: object({ name: string, data: optional(unknown) }), chainId: string }),
  result: done,
} as const satisfies RpcMethod

// Newer events supersede older events with the same name. Events in another namespace concern other
// accounts.
const toEventKey = (chainId: string, name: string) => `event ${chainId.split(':', 1)[0]} ${name}`

/**
 * Wallet: reports an event. Throws NO_MATCHING_KEY, EXPIRED, CHAIN_NOT_APPROVED,
 * MISSING_OR_INVALID.
 */
export async function emitEvent(
  engine: Engine,
  topic: string,
  { chainId, name, data }: { chainId: string; name: string; data: unknown },
): Promise<void> {
  const record = findOwnSession(engine, topic)
  const { namespaces, relayUrl } = record.session
  const approved = getApprovedChain(namespaces, chainId)
  if (approved === undefined) throw new LatchkeyError('CHAIN_NOT_APPROVED', { data: { chainId } })
  if (!approvedOn(namespaces, approved).events.includes(name))
    throw new LatchkeyError('MISSING_OR_INVALID', { data: { context: `emit() event: ${name}` } })
  const kind = toEventKey(chainId, name)
  const id = engine.nextId(relayUrl, record.lastIds[kind])
  engine.records.sessions.set(topic, withLastId(record, kind, id))
  const rpc = {
    id,
    method: sessionEvent.name,
    params: { event: { name, data }, chainId: approved },
  }
  await post(engine, getTarget(record), rpc, sessionEvent.request)
}

/**
 * App: handles an event of the wallet. Sends no response, because the wallet does not wait for it.
 */
export function onEvent(engine: Engine, { place, id, params }: Inbound): undefined {
  const found = read(sessionEvent.params, params)
  if (place.kind !== 'session' || found === undefined) return
  const { record, topic } = place
  const { namespaces } = record.session
  const chainId = getApprovedChain(namespaces, found.chainId)
  const { name, data } = found.event
  if (chainId === undefined || !approvedOn(namespaces, chainId).events.includes(name)) return
  const kind = toEventKey(chainId, name)
  if (isStale(record, kind, id)) return
  engine.records.sessions.set(topic, withLastId(record, kind, id))
  engine.journal.emit('session_event', { topic, chainId, name, data }, `${topic}/${id}`)
}
