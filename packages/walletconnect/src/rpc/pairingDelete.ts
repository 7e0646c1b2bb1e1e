import { type ProtocolError, protocolError } from '../codes.ts'
import type { Engine, Inbound, Reply } from '../engine.ts'
import { endPairing } from '../session/pairing.ts'
import { integer, object, read, string } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { refuseProposal } from './sessionPropose.ts'
import { done } from './shapes.ts'

/** Ends a pairing, with a reason. Sent by either side. */
export const pairingDelete = {
  name: 'wc_pairingDelete',
  request: { tag: 1000, ttl: 86_400, prompt: false },
  response: { tag: 1001, ttl: 86_400, prompt: false },
  params: object({ code: integer, message: string }),
  result: done,
} as const satisfies RpcMethod

const readReason = (params: unknown): ProtocolError =>
  read(pairingDelete.params, params) ?? protocolError('USER_DISCONNECTED')

/**
 * App: a wallet ends the pairing of a proposal. A wallet that has already accepted the proposal may
 * still settle.
 */
export function onPairingDeletedByWallet(engine: Engine, { place, params }: Inbound): Reply {
  const { topic } = place
  const proposal = engine.records.sentProposals
    .all()
    .find(({ pairingTopic }) => pairingTopic === topic)
  if (proposal && proposal.candidates.length === 0)
    refuseProposal(engine, proposal, readReason(params))
  return { result: true }
}

/** Wallet: an app ends a pairing, and with it its requests on the pairing. */
export function onPairingDeletedByApp(engine: Engine, { place: { topic } }: Inbound): Reply {
  const { records, journal } = engine
  endPairing(engine, topic)
  for (const { id, pairingTopic } of records.proposals.all()) {
    if (pairingTopic !== topic) continue
    records.proposals.remove(id)
    journal.emit('proposal_expire', { id }, id)
  }
  return { result: true }
}
