import type { WalletConnectSession } from '../client.ts'
import { type ProtocolError, protocolError } from '../codes.ts'
import type { Engine, Inbound, Reply } from '../engine.ts'
import type { RpcResponse } from '../jsonRpc.ts'
import type { SessionRecord } from '../records.ts'
import { post } from '../send.ts'
import { isExpired } from '../session/isExpired.ts'
import { checkSession } from '../session/namespaces.ts'
import { endProposal } from '../session/pairing.ts'
import { changeSession, removeSession } from '../session/session.ts'
import { boolean, type Infer, object, optional, read } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { sessionDelete } from './sessionDelete.ts'
import { refuseProposal } from './sessionPropose.ts'
import { done, peer, properties, relay, sessionNamespaces, timestamp } from './shapes.ts'

/**
 * A wallet's settlement with what it approved, on the session's topic. It may arrive before or
 * after the response to the proposal.
 */
export const sessionSettle = {
  name: 'wc_sessionSettle',
  request: { tag: 1102, ttl: 300, prompt: false },
  response: { tag: 1103, ttl: 300, prompt: false },
  params: object({
    relay,
    namespaces: sessionNamespaces,
    controller: peer,
    expiry: timestamp,
    sessionProperties: optional(properties),
    scopedProperties: optional(properties),
    sessionConfig: optional(object({ disableDeepLink: optional(boolean) })),
  }),
  result: done,
} as const satisfies RpcMethod

/** App: a wallet settles a session. */
export function onSettle(engine: Engine, { place, params }: Inbound): Reply | undefined {
  if (place.kind !== 'candidate') return undefined
  const { proposal, relayUrl, publicKey } = place
  const found = read(sessionSettle.params, params)
  const wrong = wrongIn(engine, found, { publicKey, relayUrl })
  if (found === undefined || wrong) {
    const error = wrong ?? protocolError('INVALID_SESSION_SETTLE_REQUEST')
    // While other wallets are about to settle, the proposal stays open.
    if (proposal.candidates.length === 1) refuseProposal(engine, proposal, error)
    return { error }
  }
  const { id, pairingTopic, isCancelled } = proposal
  if (isCancelled) {
    endProposal(engine, id, { pairingTopic })
    return { error: protocolError('USER_DISCONNECTED') }
  }
  const { namespaces, controller, expiry, sessionProperties, scopedProperties } = found
  const { disableDeepLink } = found.sessionConfig ?? {}
  const session: WalletConnectSession = {
    topic: place.topic,
    pairingTopic,
    relayUrl,
    namespaces,
    requiredNamespaces: {},
    self: engine.metadata,
    peer: controller.metadata,
    isController: false,
    isAcknowledged: true,
    expirySeconds: expiry,
    sessionProperties,
    scopedProperties,
    disableDeepLink,
  }
  engine.records.sessions.set(place.topic, { session, key: place.key, lastIds: {} })
  endProposal(engine, id, { pairingTopic, keep: place.topic })
  // Other wallets that accepted the same code must not keep half a session.
  for (const other of proposal.candidates) {
    if (other.topic === place.topic) continue
    const rpc = {
      id: engine.nextId(relayUrl),
      method: sessionDelete.name,
      params: protocolError('USER_DISCONNECTED'),
    }
    void post(engine, { ...other, relayUrl }, rpc, sessionDelete.request).catch(() => {})
  }
  engine.journal.emit('session_connect', { session }, place.topic)
  return { result: true }
}

function wrongIn(
  engine: Engine,
  found: Infer<typeof sessionSettle.params> | undefined,
  { publicKey, relayUrl }: { publicKey: string; relayUrl: string },
): ProtocolError | undefined {
  if (found === undefined || found.relay.protocol !== 'irn')
    return protocolError('INVALID_SESSION_SETTLE_REQUEST')
  if (found.controller.publicKey !== publicKey)
    return protocolError('INVALID_SESSION_SETTLE_REQUEST', 'The key is not the one that answered')
  if (isExpired(engine, { relayUrl, expirySeconds: found.expiry }))
    return protocolError('INVALID_SESSION_SETTLE_REQUEST', 'It has expired')
  return checkSession(found.namespaces)
}

/** Wallet: the app confirms or refuses the settlement. */
export function onSettleAnswer(engine: Engine, record: SessionRecord, answer: RpcResponse): void {
  if ('result' in answer) acknowledge(engine, record)
  else dropRefused(engine, record.session.topic, answer.error)
}

function dropRefused(engine: Engine, topic: string, { code, message }: ProtocolError): void {
  removeSession(engine, topic)
  engine.journal.emit('session_delete', { topic, reason: { code, message } }, topic)
}

/** Wallet: the app has the session. */
export function acknowledge(engine: Engine, record: SessionRecord): void {
  if (record.session.isAcknowledged) return
  const { topic } = record.session
  const { settleId: _, ...rest } = record
  changeSession(engine, rest, { isAcknowledged: true })
  engine.journal.emit('session_acknowledged', { topic }, topic)
}
