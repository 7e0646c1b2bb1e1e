import { LatchkeyError } from '@latchkey/wire'
import { protocolError } from '../codes.ts'
import type { Engine, Inbound, Reply } from '../engine.ts'
import { post } from '../send.ts'
import { checkConforming, checkSession } from '../session/namespaces.ts'
import {
  changeSession,
  findOwnSession,
  getTarget,
  isStale,
  withLastId,
} from '../session/session.ts'
import { object, read } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { done, type SessionNamespaces, sessionNamespaces } from './shapes.ts'

/** The wallet replaces all namespaces of a session. */
export const sessionUpdate = {
  name: 'wc_sessionUpdate',
  request: { tag: 1104, ttl: 86_400, prompt: false },
  response: { tag: 1105, ttl: 86_400, prompt: false },
  params: object({ namespaces: sessionNamespaces }),
  result: done,
} as const satisfies RpcMethod

/** Wallet: replaces the namespaces. Throws NO_MATCHING_KEY, EXPIRED, NON_CONFORMING_NAMESPACES. */
export async function updateSession(
  engine: Engine,
  topic: string,
  namespaces: SessionNamespaces,
): Promise<void> {
  const record = findOwnSession(engine, topic)
  const { requiredNamespaces, relayUrl } = record.session
  const wrong = checkSession(namespaces) ?? checkConforming(requiredNamespaces, namespaces)
  if (wrong)
    throw new LatchkeyError('NON_CONFORMING_NAMESPACES', {
      data: { context: `update() ${wrong.message}` },
    })
  const id = engine.nextId(relayUrl, record.lastIds.update)
  changeSession(engine, withLastId(record, 'update', id), { namespaces })
  engine.journal.emitElsewhere('session_update', { topic, namespaces }, `${topic}/${id}`)
  const rpc = { id, method: sessionUpdate.name, params: { namespaces } }
  await post(engine, getTarget(record), rpc, sessionUpdate.request)
}

/** The wallet replaced the namespaces. */
export function onUpdate(engine: Engine, { place, id, params }: Inbound): Reply | undefined {
  if (place.kind !== 'session') return undefined
  const { record, topic } = place
  if (record.session.isController) return { error: protocolError('UNAUTHORIZED_UPDATE_REQUEST') }
  const found = read(sessionUpdate.params, params)
  if (found === undefined || isStale(record, 'update', id))
    return { error: protocolError('INVALID_UPDATE_REQUEST') }
  const { namespaces } = found
  const wrong =
    checkSession(namespaces) ?? checkConforming(record.session.requiredNamespaces, namespaces)
  if (wrong) return { error: wrong }
  changeSession(engine, withLastId(record, 'update', id), { namespaces })
  engine.journal.emit('session_update', { topic, namespaces }, `${topic}/${id}`)
  return { result: true }
}
