import { LatchkeyError } from '@latchkey/wire'
import type { AuthPayload, Cacao, Dapp, WalletConnectSession } from '../client.ts'
import { type ProtocolError, protocolError } from '../codes.ts'
import { getTopic } from '../crypto/crypto.ts'
import type { Engine } from '../engine.ts'
import type { RpcResponse } from '../jsonRpc.ts'
import { sessionAuthenticate } from '../rpc/sessionAuthenticate.ts'
import { sessionDelete } from '../rpc/sessionDelete.ts'
import type { PeerMetadata } from '../rpc/shapes.ts'
import { post } from '../send.ts'
import { sessionSeconds } from '../session/session.ts'
import { read } from '../shape.ts'
import { formatMessage, getIssuerAccount, isAsRequested, toSessionNamespaces } from './cacao.ts'

/** Parameters of {@link Dapp.authenticate}. */
export type SignInParameters = Parameters<Dapp['authenticate']>[0]

/** A wallet's response: signatures, and the session if they open one. */
export type SignInResponse = Awaited<Awaited<ReturnType<Dapp['authenticate']>>['answer']>

type ReceivedResponse = {
  rpc: RpcResponse
  /** The session's key, and the public key from which it was derived. */
  key: string
  sender: string
  payload: AuthPayload
  pairingTopic: string
}

/**
 * App: verifies a wallet's response and stores the session. Throws SESSION_REJECTED if the wallet
 * rejects or a signature is not valid.
 */
export async function acceptSignIn(
  engine: Engine,
  { rpc, key, sender, payload, pairingTopic }: ReceivedResponse,
  verify: SignInParameters['verify'],
): Promise<SignInResponse> {
  if ('error' in rpc) throw toRejection(rpc.error)
  const { relayUrl, nowMs } = engine
  const found = read(sessionAuthenticate.result, rpc.result)
  if (found?.responder.publicKey !== sender)
    throw toRejection(protocolError('MALFORMED_RESPONSE_PARAMS'))
  const cacaos = found.cacaos as Cacao[]
  const session = toSession(engine, { cacaos, key, pairingTopic, peer: found.responder.metadata })
  if (!(await areSigned(cacaos, { payload, verify, nowMs: nowMs(relayUrl) }))) {
    const error = protocolError('SIGNATURE_VERIFICATION_FAILED')
    // The wallet may already have opened a session.
    const target = { topic: getTopic(key), key, relayUrl }
    const id = engine.nextId(relayUrl)
    const bye = { id, method: sessionDelete.name, params: error }
    void post(engine, target, bye, sessionDelete.request).catch(() => {})
    throw toRejection(error)
  }
  if (session === undefined) return { cacaos }
  engine.records.sessions.set(session.topic, { session, key, lastIds: {} })
  void engine.relays.hold(relayUrl, [session.topic]).catch(() => {})
  engine.journal.emit('session_connect', { session }, session.topic)
  return { cacaos, session }
}

async function areSigned(
  cacaos: readonly Cacao[],
  {
    payload,
    verify,
    nowMs,
  }: { payload: AuthPayload; verify: SignInParameters['verify']; nowMs: number },
): Promise<boolean> {
  for (const cacao of cacaos) {
    const account = getIssuerAccount(cacao.p)
    if (account === undefined || !isAsRequested(cacao, payload, nowMs)) return false
    const { t: type, s: signature } = cacao.s
    const signed = { account, message: formatMessage(cacao.p), signature, type }
    if (!(await verify(signed).catch(() => false))) return false
  }
  return true
}

function toSession(
  engine: Engine,
  {
    cacaos,
    key,
    pairingTopic,
    peer,
  }: { cacaos: readonly Cacao[]; key: string; pairingTopic: string; peer: PeerMetadata },
): WalletConnectSession | undefined {
  const { relayUrl, metadata } = engine
  const namespaces = toSessionNamespaces(cacaos)
  if (namespaces === undefined) return undefined
  return {
    topic: getTopic(key),
    pairingTopic,
    relayUrl,
    namespaces,
    requiredNamespaces: {},
    self: metadata,
    peer,
    isController: false,
    isAcknowledged: true,
    expirySeconds: Math.floor(engine.nowMs(relayUrl) / 1000) + sessionSeconds,
  }
}

/** Converts a wallet's rejection to an error. */
export const toRejection = ({ code, message }: ProtocolError): LatchkeyError =>
  new LatchkeyError('SESSION_REJECTED', { data: { message }, cause: { code, message } })
