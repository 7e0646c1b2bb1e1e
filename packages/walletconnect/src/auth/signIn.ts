import { isError, LatchkeyError } from '@latchkey/wire'
import type { AuthPayload, Cacao, Dapp, Session } from '../client.ts'
import { type ProtocolError, protocolError } from '../codes.ts'
import { generateKeyPair, getTopic } from '../crypto/crypto.ts'
import type { Engine } from '../engine.ts'
import type { RpcAnswer } from '../jsonRpc.ts'
import { sessionAuthenticate } from '../rpc/sessionAuthenticate.ts'
import { sessionDelete } from '../rpc/sessionDelete.ts'
import { proposeSession } from '../rpc/sessionPropose.ts'
import type { Metadata } from '../rpc/shapes.ts'
import { post, publish } from '../send.ts'
import { endOffer } from '../session/pairing.ts'
import { sessionSeconds } from '../session/session.ts'
import { read } from '../shape.ts'
import { formatMessage, getAccount, getNamespaces, isAsRequested } from './cacao.ts'
import { formatRecap } from './recap.ts'

type SignInParameters = Parameters<Dapp['authenticate']>[0]
type SignInOffer = Awaited<ReturnType<Dapp['authenticate']>>
type Answer = Awaited<SignInOffer['answer']>

const authSeconds = 3600

/** App: offers a sign-in and, on the same pairing, a session for wallets that do not support sign-in. See {@link Dapp.authenticate}. */
export async function authenticate(
  engine: Engine,
  parameters: SignInParameters,
): Promise<SignInOffer> {
  checkParameters(parameters)
  const { asks, relays, relayUrl, records } = engine
  const keys = await generateKeyPair()
  const topic = getTopic(keys.publicKey)
  const fallback = new AbortController()
  const abort = () => fallback.abort()
  parameters.signal?.addEventListener('abort', abort)
  const stops: (() => void)[] = []
  const end = () => {
    for (const stop of stops) stop()
    parameters.signal?.removeEventListener('abort', abort)
    asks.delete(topic)
    records.seen.remove(topic)
    relays.drop(topic)
  }
  try {
    const { uri, pairingTopic, expiresAtMs, approval } = await proposeSession(engine, {
      optionalNamespaces: parameters.optionalNamespaces,
      signal: parameters.signal?.aborted ? parameters.signal : fallback.signal,
      keys,
      methods: [sessionAuthenticate.name],
    })
    const payload = toPayload(parameters, engine.nowMs(relayUrl))
    const answer = new Promise<Answer>((resolve, reject) => {
      asks.set(topic, {
        relayUrl,
        privateKey: keys.privateKey,
        async onAnswer(rpc, sealed) {
          try {
            resolve(
              await accept(engine, { rpc, payload, pairingTopic, ...sealed }, parameters.verify),
            )
            endPairingOffer(engine, pairingTopic)
          } catch (error) {
            reject(error)
          }
          fallback.abort()
        },
      })
      approval.then(
        (session) => resolve({ cacaos: [], session }),
        // A wallet has more time for a sign-in.
        (error) => isError(error, 'PROPOSAL_EXPIRED') || reject(error),
      )
      const timer = setTimeout(
        () => reject(new LatchkeyError('PROPOSAL_EXPIRED')),
        authSeconds * 1000,
      )
      const giveUp = () => reject(new LatchkeyError('ABORTED'))
      fallback.signal.addEventListener('abort', giveUp)
      engine.signal.addEventListener('abort', giveUp)
      stops.push(
        () => clearTimeout(timer),
        () => engine.signal.removeEventListener('abort', giveUp),
      )
    }).finally(() => {
      fallback.abort()
      end()
    })
    answer.catch(() => {})
    await relays.hold(relayUrl, [topic])
    await sendAsk(engine, {
      pairingTopic,
      publicKey: keys.publicKey,
      payload,
      signal: parameters.signal,
    })
    return { uri, pairingTopic, expiresAtMs, answer }
  } catch (error) {
    fallback.abort()
    end()
    throw error
  }
}

function checkParameters({ payload: { chains, domain, aud, nonce } }: SignInParameters): void {
  const wrong = Object.entries({
    chains: chains.length > 0 && chains.every((chain) => /^eip155:\d{1,20}$/.test(chain)),
    domain,
    aud,
    nonce,
  }).find(([, isRight]) => !isRight)
  if (wrong)
    throw new LatchkeyError('MISSING_OR_INVALID', {
      data: { context: `authenticate() ${wrong[0]}` },
    })
}

function toPayload({ payload, methods }: SignInParameters, nowMs: number): AuthPayload {
  const { resources = [], ...rest } = payload
  const recap = methods.length > 0 ? [formatRecap({ methods: [...methods], chains: [] })] : []
  const all = [...resources, ...recap]
  return {
    ...rest,
    type: 'caip122',
    version: '1',
    iat: new Date(nowMs).toISOString(),
    ...(all.length > 0 && { resources: all }),
  }
}

async function sendAsk(
  engine: Engine,
  {
    pairingTopic: topic,
    publicKey,
    payload: authPayload,
    signal,
  }: {
    pairingTopic: string
    publicKey: string
    payload: AuthPayload
    signal: AbortSignal | undefined
  },
): Promise<void> {
  const { relayUrl, metadata, records } = engine
  const key = records.pairings.get(topic)?.key
  // The proposal has answered it already.
  if (key === undefined) return
  const params = {
    authPayload,
    requester: { publicKey, metadata },
    expiryTimestamp: Math.floor(engine.nowMs(relayUrl) / 1000) + authSeconds,
  }
  const rpc = { id: engine.nextId(relayUrl), method: sessionAuthenticate.name, params }
  await publish(engine, { topic, key, relayUrl }, rpc, { ...sessionAuthenticate.request, signal })
}

type ReceivedAnswer = {
  rpc: RpcAnswer
  /** The session's key, and the public key from which it was derived. */
  key: string
  sender: string
  payload: AuthPayload
  pairingTopic: string
}

async function accept(
  engine: Engine,
  { rpc, key, sender, payload, pairingTopic }: ReceivedAnswer,
  verify: SignInParameters['verify'],
): Promise<Answer> {
  if ('error' in rpc) throw rejected(rpc.error)
  const { relayUrl, nowMs } = engine
  const found = read(sessionAuthenticate.result, rpc.result)
  if (found?.responder.publicKey !== sender)
    throw rejected(protocolError('MALFORMED_RESPONSE_PARAMS'))
  const cacaos = found.cacaos as Cacao[]
  const session = toSession(engine, { cacaos, key, pairingTopic, peer: found.responder.metadata })
  if (!(await areSigned(cacaos, { payload, verify, nowMs: nowMs(relayUrl) }))) {
    const error = protocolError('SIGNATURE_VERIFICATION_FAILED')
    // The wallet may already have a session from it.
    const target = { topic: getTopic(key), key, relayUrl }
    const id = engine.nextId(relayUrl)
    const bye = { id, method: sessionDelete.name, params: error }
    void post(engine, target, bye, sessionDelete.request).catch(() => {})
    throw rejected(error)
  }
  if (session === undefined) return { cacaos }
  engine.records.sessions.set(session.topic, { session, key, lastIds: {} })
  void engine.relays.hold(relayUrl, [session.topic]).catch(() => {})
  engine.journal.tell('session_connect', { session }, session.topic)
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
    const account = getAccount(cacao.p)
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
  }: { cacaos: readonly Cacao[]; key: string; pairingTopic: string; peer: Metadata },
): Session | undefined {
  const { relayUrl, metadata } = engine
  const namespaces = getNamespaces(cacaos)
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

const rejected = ({ code, message }: ProtocolError) =>
  new LatchkeyError('SESSION_REJECTED', { data: { message }, cause: { code, message } })

function endPairingOffer(engine: Engine, pairingTopic: string): void {
  const offer = engine.records.offers.all().find((one) => one.pairingTopic === pairingTopic)
  if (offer) endOffer(engine, offer.id, { pairingTopic })
}
