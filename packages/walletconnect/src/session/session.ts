import { LatchkeyError } from '@latchkey/wire'
import type { WalletConnectSession } from '../client.ts'
import type { Engine } from '../engine.ts'
import { getRpcIdTime, type RpcId } from '../jsonRpc.ts'
import type { SessionRecord } from '../records.ts'
import { type PeerTarget, rejectWaits } from '../send.ts'
import { isExpired } from './isExpired.ts'

/** How long a session is valid. */
export const sessionSeconds = 7 * 86_400

/** A session that has not expired. Throws NO_MATCHING_KEY, EXPIRED. */
export function findSessionRecord(engine: Engine, topic: string): SessionRecord {
  const record = engine.records.sessions.get(topic)
  if (record === undefined)
    throw new LatchkeyError('NO_MATCHING_KEY', {
      data: { context: `session topic doesn't exist: ${topic}` },
    })
  if (isExpired(engine, record.session))
    throw new LatchkeyError('EXPIRED', { data: { context: `session topic: ${topic}` } })
  return record
}

/**
 * {@link findSessionRecord}, for sessions in which this side is the wallet. The app may not do what
 * only a wallet may.
 */
export function findOwnSession(engine: Engine, topic: string): SessionRecord {
  const record = findSessionRecord(engine, topic)
  if (!record.session.isController)
    throw new LatchkeyError('MISSING_OR_INVALID', {
      data: { context: `session topic is not controlled here: ${topic}` },
    })
  return record
}

/** Whether a newer message of this kind arrived before. Ids without a time are never stale. */
export const isStale = ({ lastIds }: SessionRecord, kind: string, id: RpcId): boolean =>
  getRpcIdTime(getOrder(id) ?? Number.POSITIVE_INFINITY) < getRpcIdTime(lastIds[kind] ?? 0)

/** Returns the session with `id` as the latest message of this kind. */
export function withLastId(record: SessionRecord, kind: string, id: RpcId): SessionRecord {
  const order = getOrder(id)
  if (order === undefined) return record
  return { ...record, lastIds: { ...record.lastIds, [kind]: order } }
}

function getOrder(id: RpcId): number | undefined {
  const order = Number(id)
  return Number.isSafeInteger(order) && order >= 0 ? order : undefined
}

export const getTarget = ({ session, key }: SessionRecord): PeerTarget => ({
  topic: session.topic,
  relayUrl: session.relayUrl,
  key,
})

/** Changes a stored session. The changed session is a new object. */
export function changeSession(
  { records }: Engine,
  record: SessionRecord,
  changes: Partial<WalletConnectSession>,
  rest: Partial<SessionRecord> = {},
): SessionRecord {
  const changed = { ...record, ...rest, session: { ...record.session, ...changes } }
  records.sessions.set(record.session.topic, changed)
  return changed
}

/**
 * Deletes a session and everything that belongs to it; calls that wait reject with
 * USER_DISCONNECTED.
 */
export function removeSession(engine: Engine, topic: string): void {
  const { records, relays } = engine
  records.sessions.remove(topic)
  records.seen.remove(topic)
  for (const table of [records.calls, records.answers, records.requests])
    for (const id of table.ids(`${topic}/`)) table.remove(id)
  rejectWaits(engine, topic, new LatchkeyError('USER_DISCONNECTED'))
  relays.drop(topic)
}
