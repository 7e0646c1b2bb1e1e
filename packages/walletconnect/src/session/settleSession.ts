import { isError, LatchkeyError } from '@latchkey/wire'
import type { Wallet, WalletConnectSession } from '../client.ts'
import { deriveKey, generateKeyPair, getTopic } from '../crypto/crypto.ts'
import type { Engine } from '../engine.ts'
import type { SessionRecord } from '../records.ts'
import { sessionPropose } from '../rpc/sessionPropose.ts'
import { sessionSettle } from '../rpc/sessionSettle.ts'
import type { peer } from '../rpc/shapes.ts'
import { deliverPost, forgetPost, keepPost, type PeerTarget, seal } from '../send.ts'
import type { Infer } from '../shape.ts'
import { checkConforming, checkSession } from './namespaces.ts'
import { findProposal } from './proposal.ts'
import { getTarget, removeSession, sessionSeconds } from './session.ts'

type ApproveParameters = Parameters<Wallet['approve']>[1]

/** Wallet: settles a proposal. See {@link Wallet.approve}. */
export async function settleSession(
  engine: Engine,
  id: number,
  approved: ApproveParameters,
): Promise<WalletConnectSession> {
  const { records, journal } = engine
  checkApproved(findProposal(engine, id).proposal, approved)
  const keys = await generateKeyPair()
  const { proposal } = findProposal(engine, id)
  const key = await deriveKey(keys.privateKey, proposal.proposer.publicKey)
  // Another tab may have responded meanwhile.
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
      session: getTarget(record),
      pairing,
      settlement: seal(engine, getTarget(record), {
        id: record.settleId ?? 0,
        method: sessionSettle.name,
        params: toSettlement(record.session, controller),
      }),
      response: seal(engine, pairing, { id: rpcId, result }),
    })
  } catch (error) {
    // A page that closes leaves the rest to the next one.
    if (isError(error, 'ABORTED')) throw error
    removeSession(engine, topic)
    records.proposals.set(id, proposal)
    throw error
  }
  const used = records.pairings.get(pairingTopic)
  if (used) records.pairings.set(pairingTopic, { ...used, isActive: true })
  const { session } = records.sessions.get(topic) ?? record
  journal.emit('session_connect', { session }, topic)
  return session
}

function checkApproved(
  proposal: ReturnType<typeof findProposal>['proposal'],
  { namespaces }: ApproveParameters,
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
  }: {
    proposal: ReturnType<typeof findProposal>['proposal']
    key: string
    approved: ApproveParameters
  },
): SessionRecord {
  const session: WalletConnectSession = {
    topic: getTopic(key),
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

function toSettlement(
  {
    namespaces,
    expirySeconds,
    sessionProperties,
    scopedProperties,
    disableDeepLink,
  }: WalletConnectSession,
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

type SealedMessages = {
  session: PeerTarget
  pairing: PeerTarget
  settlement: string
  response: string
}

// Settlement first: an app that learns the topic from the response finds it there. Both are stored
// in case this page closes.
async function sendSettlement(
  engine: Engine,
  { session, pairing, settlement, response }: SealedMessages,
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
