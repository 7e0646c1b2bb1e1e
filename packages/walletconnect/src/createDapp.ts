import type { ClientParameters, Dapp } from './client.ts'
import { createEngine } from './createEngine.ts'
import type { PeerRole } from './engine.ts'
import { createRelayClient as createSocketRelay } from './relay/createRelayClient.ts'
import type { CreateRelay } from './relay/relayClient.ts'
import { onPairingDeletedByWallet } from './rpc/pairingDelete.ts'
import { onPairingPing } from './rpc/pairingPing.ts'
import { onDelete } from './rpc/sessionDelete.ts'
import { onEvent } from './rpc/sessionEvent.ts'
import { onExtend } from './rpc/sessionExtend.ts'
import { onPing } from './rpc/sessionPing.ts'
import { onProposalAnswer, proposeSession } from './rpc/sessionPropose.ts'
import { requestMethod } from './rpc/sessionRequest.ts'
import { onSettle } from './rpc/sessionSettle.ts'
import { onUpdate } from './rpc/sessionUpdate.ts'
import { onAnswer } from './send.ts'
import { changeSession, findSessionRecord } from './session/session.ts'
import { createSharedClient } from './sharedClient.ts'

const role: PeerRole = {
  requests: {
    pairing: { wc_pairingPing: onPairingPing, wc_pairingDelete: onPairingDeletedByWallet },
    candidate: { wc_sessionSettle: onSettle },
    session: {
      wc_sessionDelete: onDelete,
      wc_sessionEvent: onEvent,
      wc_sessionExtend: onExtend,
      wc_sessionPing: onPing,
      wc_sessionUpdate: onUpdate,
    },
  },
  answer(engine, { kind, topic }, answer) {
    if (kind === 'pairing') return onProposalAnswer(engine, topic, answer)
    return onAnswer(engine, topic, answer)
  },
}

/**
 * The app's side of the Sign protocol, restored from `storage`. Tests replace `createRelayClient`.
 */
export async function createDapp(
  parameters: ClientParameters & { createRelay?: CreateRelay },
): Promise<Dapp> {
  const { createRelay = createSocketRelay } = parameters
  const engine = await createEngine(parameters, { role, createRelay })
  return {
    ...createSharedClient(engine),
    connect: (parameters) => proposeSession(engine, parameters),
    // Few apps sign in this way, so the code loads late.
    authenticate: async (parameters) =>
      (await import('./auth/signIn.ts')).authenticate(engine, parameters),
    continueSignIns: async (verify) =>
      (await import('./auth/signIn.ts')).continueSignIns(engine, verify),
    request: (parameters) => requestMethod(engine, parameters),
    setSessionProperties(topic, properties) {
      const record = findSessionRecord(engine, topic)
      const sessionProperties = { ...record.session.sessionProperties, ...properties }
      changeSession(engine, record, { sessionProperties })
    },
  }
}
