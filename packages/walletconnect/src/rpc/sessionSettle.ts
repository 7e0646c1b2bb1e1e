import { isError, LatchkeyError } from '@latchkey/wire'
import type { Session, Wallet } from '../client.ts'
import { type ProtocolError, protocolError } from '../codes.ts'
import { deriveKey, generateKeyPair, topicOf } from '../crypto.ts'
import type { Engine } from '../engine.ts'
import { isOver } from '../isOver.ts'
import type { RpcAnswer } from '../jsonRpc.ts'
import { checkConforming, checkSession } from '../namespaces.ts'
import { endOffer } from '../pairing.ts'
import type { Inbound, Reply } from '../receive.ts'
import type { SessionRecord } from '../records.ts'
import { deliverPost, forgetPost, keepPost, post, seal, type Target } from '../send.ts'
import { changeSession, endSession, sessionSeconds, targetOf } from '../session.ts'
import { boolean, type Infer, object, optional, read } from '../shape.ts'
import type { Method } from './method.ts'
import { sessionDelete } from './sessionDelete.ts'
import { findProposal, refuseOffer, sessionPropose } from './sessionPropose.ts'
import { done, peer, properties, relay, sessionNamespaces, timestamp } from './shapes.ts'

/** A wallet says what it approved, on the session's topic; it may come before or after its answer to the proposal. */
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
} as const satisfies Method

type Approved = Parameters<Wallet['approve']>[1]

/** Wallet: settles a proposal. See {@link Wallet.approve}. */
export async function settleSession(
  engine: Engine,
  id: number,
  approved: Approved,
): Promise<Session> {
  const { records, journal } = engine
  checkApproved(findProposal(engine, id).proposal, approved)
  const keys = await generateKeyPair()
  const { proposal } = findProposal(engine, id)
  const key = await deriveKey(keys.privateKey, proposal.proposer.publicKey)
  // Another tab may have answered meanwhile.
  const { key: pairingKey, rpcId } = findProposal(engine, id)
  const record = toRecord(engine, { proposal, key, approved })
  const { topic, relayUrl, pairingTopic } = record.session
  records.sessions.set(topic, record)
  records.proposals.remove(id)
  const controller = { publicKey: keys.publicKey, metadata: engine.metadata }
  const result = { relay: { protocol: 'irn' }, responderPublicKey: keys.publicKey }
  const pairing = { topic: pairingTopic, key: pairingKey, relayUrl }
  try {
    await sendSettlement(engine, {
      session: targetOf(record),
      pairing,
      settlement: seal(engine, targetOf(record), {
        id: record.settleId ?? 0,
        method: sessionSettle.name,
        params: settlementOf(record.session, controller),
      }),
      response: seal(engine, pairing, { id: rpcId, result }),
    })
  } catch (error) {
    // A page that closes leaves the rest to the next one.
    if (isError(error, 'ABORTED')) throw error
    endSession(engine, topic)
    records.proposals.set(id, proposal)
    throw error
  }
  const used = records.pairings.get(pairingTopic)
  if (used) records.pairings.set(pairingTopic, { ...used, isActive: true })
  const { session } = records.sessions.get(topic) ?? record
  journal.tell('session_connect', { session }, topic)
  return session
}

function checkApproved(
  proposal: ReturnType<typeof findProposal>['proposal'],
  { namespaces }: Approved,
): void {
  const wrong = checkSession(namespaces) ?? checkConforming(proposal.requiredNamespaces, namespaces)
  if (wrong)
    throw new LatchkeyError('NON_CONFORMING_NAMESPACES', {
      data: { context: `approve() ${wrong.message}` },
    })
}

function toRecord(
  engine: Engine,
  {
    proposal: { pairingTopic, relayUrl, requiredNamespaces, proposer },
    key,
    approved: { namespaces, sessionProperties, scopedProperties, disableDeepLink },
  }: { proposal: ReturnType<typeof findProposal>['proposal']; key: string; approved: Approved },
): SessionRecord {
  const session: Session = {
    topic: topicOf(key),
    pairingTopic,
    relayUrl,
    namespaces,
    requiredNamespaces,
    self: engine.metadata,
    peer: proposer.metadata,
    isController: true,
    isAcknowledged: false,
    expirySeconds: Math.floor(engine.nowMs(relayUrl) / 1000) + sessionSeconds,
    sessionProperties,
    scopedProperties,
    disableDeepLink,
  }
  return { session, key, settleId: engine.nextId(relayUrl), lastIds: {} }
}

function settlementOf(
  { namespaces, expirySeconds, sessionProperties, scopedProperties, disableDeepLink }: Session,
  controller: Infer<typeof peer>,
): Infer<typeof sessionSettle.params> {
  return {
    relay: { protocol: 'irn' },
    namespaces,
    controller,
    expiry: expirySeconds,
    sessionProperties,
    scopedProperties,
    sessionConfig: disableDeepLink === undefined ? undefined : { disableDeepLink },
  }
}

type Sealed = { session: Target; pairing: Target; settlement: string; response: string }

// Settlement first: an app that learns the topic from the response finds it there. Both are kept in case this page ends.
async function sendSettlement(
  engine: Engine,
  { session, pairing, settlement, response }: Sealed,
): Promise<void> {
  const { olderRelays, relays } = engine
  const { relayUrl, topic } = session
  const posts = [
    keepPost(engine, session, settlement, sessionSettle.request),
    keepPost(engine, pairing, response, sessionPropose.response),
  ]
  const call = {
    method: 'wc_approveSession',
    params: {
      pairingTopic: pairing.topic,
      sessionTopic: topic,
      sessionProposalResponse: response,
      sessionSettlementRequest: settlement,
      ttl: sessionSettle.request.ttl,
    },
    topic,
  }
  try {
    if (!olderRelays.has(relayUrl)) {
      relays.note(relayUrl, topic)
      const isTaken = await relays
        .use(relayUrl, (one) => one.call(call))
        .then(
          () => true,
          (error: unknown) => {
            if (!isError(error, 'METHOD_NOT_FOUND')) throw error
            return false
          },
        )
      if (isTaken) return forgetAll()
      olderRelays.add(relayUrl)
      await relays.use(relayUrl, (one) => one.subscribe([topic]))
    } else await relays.hold(relayUrl, [topic])
    for (const id of posts) await deliverPost(engine, id)
  } catch (error) {
    if (!isError(error, 'ABORTED')) forgetAll()
    throw error
  }
  function forgetAll() {
    for (const id of posts) forgetPost(engine, id)
  }
}

/** App: a wallet settles a session. */
export function onSettle(engine: Engine, { place, params }: Inbound): Reply | undefined {
  if (place.kind !== 'candidate') return undefined
  const { offer, relayUrl, publicKey } = place
  const found = read(sessionSettle.params, params)
  const wrong = wrongIn(engine, found, { publicKey, relayUrl })
  if (found === undefined || wrong) {
    const error = wrong ?? protocolError('INVALID_SESSION_SETTLE_REQUEST')
    // With others about to settle it the offer stays open.
    if (offer.candidates.length === 1) refuseOffer(engine, offer, error)
    return { error }
  }
  const { id, pairingTopic, isCancelled } = offer
  if (isCancelled) {
    endOffer(engine, id, { pairingTopic })
    return { error: protocolError('USER_DISCONNECTED') }
  }
  const { namespaces, controller, expiry, sessionProperties, scopedProperties } = found
  const { disableDeepLink } = found.sessionConfig ?? {}
  const session: Session = {
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
  endOffer(engine, id, { pairingTopic, keep: place.topic })
  // Others who answered the same code are not left with half a session.
  for (const other of offer.candidates) {
    if (other.topic === place.topic) continue
    const rpc = {
      id: engine.nextId(relayUrl),
      method: sessionDelete.name,
      params: protocolError('USER_DISCONNECTED'),
    }
    void post(engine, { ...other, relayUrl }, rpc, sessionDelete.request).catch(() => {})
  }
  engine.journal.tell('session_connect', { session }, place.topic)
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
  if (isOver(engine, { relayUrl, expirySeconds: found.expiry }))
    return protocolError('INVALID_SESSION_SETTLE_REQUEST', 'It has expired')
  return checkSession(found.namespaces)
}

/** Wallet: the app confirms the settlement, or will not have it. */
export function onSettleAnswer(engine: Engine, record: SessionRecord, answer: RpcAnswer): void {
  if ('result' in answer) acknowledge(engine, record)
  else dropRefused(engine, record.session.topic, answer.error)
}

function dropRefused(engine: Engine, topic: string, { code, message }: ProtocolError): void {
  endSession(engine, topic)
  engine.journal.tell('session_delete', { topic, reason: { code, message } }, topic)
}

/** Wallet: the app has the session. */
export function acknowledge(engine: Engine, record: SessionRecord): void {
  if (record.session.isAcknowledged) return
  const { topic } = record.session
  const { settleId: _, ...rest } = record
  changeSession(engine, rest, { isAcknowledged: true })
  engine.journal.tell('session_acknowledged', { topic }, topic)
}
