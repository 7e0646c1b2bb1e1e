import {
  approveSignIn,
  formatAuthMessage,
  onAuthRequest,
  rejectSignIn,
  toAuthRequest,
} from './auth/answerSignIn.ts'
import type { ClientParameters, Wallet } from './client.ts'
import { protocolError } from './codes.ts'
import { createEngine } from './createEngine.ts'
import type { Engine, PeerRole } from './engine.ts'
import { createRelayClient as createSocketRelay } from './relay/createRelayClient.ts'
import type { CreateRelay } from './relay/relayClient.ts'
import { onPairingDeletedByApp } from './rpc/pairingDelete.ts'
import { onPairingPing } from './rpc/pairingPing.ts'
import { onDelete } from './rpc/sessionDelete.ts'
import { emitEvent } from './rpc/sessionEvent.ts'
import { extendSession, onExtend } from './rpc/sessionExtend.ts'
import { onPing } from './rpc/sessionPing.ts'
import { onMethodRequest, respondToRequest, toPending } from './rpc/sessionRequest.ts'
import { onSettleAnswer } from './rpc/sessionSettle.ts'
import { onUpdate, updateSession } from './rpc/sessionUpdate.ts'
import { onAnswer } from './send.ts'
import { pair } from './session/pairing.ts'
import { onProposal, rejectProposal, toProposal } from './session/proposal.ts'
import { settleSession } from './session/settleSession.ts'
import { createSharedClient } from './sharedClient.ts'

const role: PeerRole = {
  requests: {
    pairing: {
      wc_pairingDelete: onPairingDeletedByApp,
      wc_pairingPing: onPairingPing,
      wc_sessionAuthenticate: onAuthRequest,
      wc_sessionPropose: onProposal,
    },
    candidate: {},
    session: {
      wc_sessionDelete: onDelete,
      wc_sessionExtend: onExtend,
      wc_sessionPing: onPing,
      wc_sessionRequest: onMethodRequest,
      wc_sessionSettle: () => ({ error: protocolError('INVALID_SESSION_SETTLE_REQUEST') }),
      wc_sessionUpdate: onUpdate,
    },
  },
  answer(engine, place, answer) {
    if (place.kind !== 'session') return
    if (answer.id === place.record.settleId) onSettleAnswer(engine, place.record, answer)
    else onAnswer(engine, place.topic, answer)
  },
  remind,
}

function remind({ records, journal }: Engine, pairingTopic: string): void {
  for (const proposal of records.proposals.all())
    if (proposal.pairingTopic === pairingTopic)
      journal.emitHere('session_proposal', { proposal: toProposal(proposal) })
  for (const request of records.auths.all())
    if (request.pairingTopic === pairingTopic)
      journal.emitHere('session_authenticate', { request: toAuthRequest(request) })
}

/**
 * The wallet's side of the Sign protocol, restored from `storage`. `allowRelay` decides whether to
 * connect to the relay in a pairing URI; without it only `relayUrl` is used. Tests replace
 * `createRelayClient`.
 */
export async function createWallet(
  parameters: ClientParameters & {
    allowRelay?: (relayUrl: string) => boolean
    createRelay?: CreateRelay
  },
): Promise<Wallet> {
  const { createRelay = createSocketRelay, allowRelay = () => false } = parameters
  const engine = await createEngine(parameters, { role, createRelay })
  const { records } = engine
  return {
    ...createSharedClient(engine),
    pair: (uri) => pair(engine, uri, allowRelay),
    proposals: () => records.proposals.all().map(toProposal),
    authRequests: () => records.auths.all().map(toAuthRequest),
    requests: () => records.requests.all().map(toPending),
    approve: (id, approved) => settleSession(engine, id, approved),
    reject: (id, reason) => rejectProposal(engine, id, reason),
    formatAuthMessage: (id, allowed) => formatAuthMessage(engine, id, allowed),
    approveAuthenticate: (id, cacaos) => approveSignIn(engine, id, cacaos),
    rejectAuthenticate: (id, reason) => rejectSignIn(engine, id, reason),
    respond: (topic, id, answer) => respondToRequest(engine, { topic, id }, answer),
    update: (topic, namespaces) => updateSession(engine, topic, namespaces),
    extend: (topic) => extendSession(engine, topic),
    emit: (topic, event) => emitEvent(engine, topic, event),
  }
}
