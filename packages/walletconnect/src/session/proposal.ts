import { LatchkeyError } from '@latchkey/wire'
import type { SessionProposal } from '../client.ts'
import { type ProtocolError, protocolError } from '../codes.ts'
import type { Engine, Inbound, Reply } from '../engine.ts'
import { fitsQueue } from '../fitsQueue.ts'
import { type RpcId, toLocalId, toRpcId } from '../jsonRpc.ts'
import type { ProposalRecord } from '../records.ts'
import { sessionPropose } from '../rpc/sessionPropose.ts'
import { post } from '../send.ts'
import { read } from '../shape.ts'
import { isExpired } from './isExpired.ts'
import { checkProposal } from './namespaces.ts'
import { pairingSeconds } from './pairing.ts'

/** Wallet: whether a pairing is for a sign-in, and this client has a listener for sign-ins. */
export const offersSignIn = ({ records, journal }: Engine, pairingTopic: string): boolean =>
  journal.isHeard('session_authenticate') && records.pairings.get(pairingTopic)?.signsIn === true

const maxProposals = 20

/** Wallet: handles a session proposal. */
export function onProposal(engine: Engine, { place, id, params }: Inbound): Reply | undefined {
  const { records, journal } = engine
  // The same app offers a sign-in there, which this wallet prefers.
  if (offersSignIn(engine, place.topic)) return undefined
  const publish = sessionPropose.autoReject
  const found = read(sessionPropose.params, params)
  if (found === undefined || !fitsQueue(records.proposals.all(), found, maxProposals))
    return { error: protocolError('INVALID_PROPOSAL_NAMESPACES'), publish }
  const { requiredNamespaces, optionalNamespaces, proposer, expiryTimestamp } = found
  const wrong = checkProposal({ requiredNamespaces, optionalNamespaces })
  if (wrong) return { error: wrong, publish }
  const { relayUrl, topic: pairingTopic } = place
  const lasting = Math.floor(engine.nowMs(relayUrl) / 1000) + pairingSeconds
  const expirySeconds = Math.min(expiryTimestamp ?? lasting, lasting)
  if (isExpired(engine, { relayUrl, expirySeconds }))
    return { error: protocolError('SESSION_REQUEST_EXPIRED'), publish }
  // An app chooses its ids and may reuse another app's ids: it must not replace a request that the
  // screen shows.
  const isUsedElsewhere = (one: number) =>
    (records.proposals.get(one)?.pairingTopic ?? pairingTopic) !== pairingTopic
  const record: ProposalRecord = {
    ...toLocalId(id, () => engine.nextId(relayUrl), isUsedElsewhere),
    pairingTopic,
    relayUrl,
    proposer,
    requiredNamespaces,
    optionalNamespaces,
    expirySeconds,
    sessionProperties: found.sessionProperties,
    scopedProperties: found.scopedProperties,
  }
  records.proposals.set(record.id, record)
  journal.emit('session_proposal', { proposal: toProposal(record) }, `${pairingTopic}/${record.id}`)
  return undefined
}

/** A proposal in the form that a wallet's screen shows. */
export const toProposal = ({ wireId: _, proposer, ...rest }: ProposalRecord): SessionProposal => ({
  ...rest,
  proposer: proposer.metadata,
})

/** Wallet: a proposal that has not expired. Throws NO_MATCHING_KEY, EXPIRED. */
export function findProposal(
  engine: Engine,
  id: number,
): { proposal: ProposalRecord; key: string; rpcId: RpcId } {
  const proposal = engine.records.proposals.get(id)
  const pairing = proposal && engine.records.pairings.get(proposal.pairingTopic)
  if (pairing === undefined || proposal === undefined)
    throw new LatchkeyError('NO_MATCHING_KEY', {
      data: { context: `proposal id doesn't exist: ${id}` },
    })
  if (isExpired(engine, proposal))
    throw new LatchkeyError('EXPIRED', { data: { context: `proposal id: ${id}` } })
  return { proposal, key: pairing.key, rpcId: toRpcId(proposal) }
}

/** Wallet: rejects a proposal. Throws NO_MATCHING_KEY, EXPIRED. */
export async function rejectProposal(
  engine: Engine,
  id: number,
  reason: ProtocolError = protocolError('USER_REJECTED'),
): Promise<void> {
  const { proposal, key, rpcId } = findProposal(engine, id)
  const { pairingTopic: topic, relayUrl } = proposal
  const error = { code: reason.code, message: reason.message }
  engine.records.proposals.remove(id)
  await post(engine, { topic, key, relayUrl }, { id: rpcId, error }, sessionPropose.reject)
}
