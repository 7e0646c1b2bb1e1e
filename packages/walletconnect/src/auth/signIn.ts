import { LatchkeyError } from '@latchkey/wire'
import type { AuthPayload, Dapp } from '../client.ts'
import { generateKeyPair, getTopic } from '../crypto/crypto.ts'
import type { KeyPair } from '../crypto/curve.ts'
import type { Engine } from '../engine.ts'
import { sessionAuthenticate } from '../rpc/sessionAuthenticate.ts'
import { proposeSession } from '../rpc/sessionPropose.ts'
import { publish } from '../send.ts'
import { endProposal, pairingSeconds } from '../session/pairing.ts'
import { resolvePendingTopics } from '../session/pendingTopics.ts'
import {
  acceptSignIn,
  type SignInParameters,
  type SignInResponse,
  toRejection,
} from './acceptSignIn.ts'
import { formatRecap } from './recap.ts'

/**
 * App: requests a sign-in and proposes, on the same pairing, a session for wallets that do not
 * support sign-in. A wallet may respond as long as the pairing is valid; the message that it signs
 * does not expire. See {@link Dapp.authenticate}.
 */
export async function authenticate(
  engine: Engine,
  parameters: SignInParameters,
): ReturnType<Dapp['authenticate']> {
  checkParameters(parameters)
  const { signal, verify, optionalNamespaces } = parameters
  const { relays, relayUrl, records } = engine
  const keys = await generateKeyPair()
  const fallback = new AbortController()
  const abort = () => fallback.abort()
  signal?.addEventListener('abort', abort)
  const end = () => {
    signal?.removeEventListener('abort', abort)
    // A page that ends leaves its proposals to the next one.
    if (!engine.signal.aborted) fallback.abort()
  }
  try {
    const { uri, pairingTopic, expiresAtMs, approval } = await proposeSession(engine, {
      optionalNamespaces,
      signal: signal?.aborted ? signal : fallback.signal,
      keys,
      methods: [sessionAuthenticate.name],
    })
    const payload = toPayload(parameters, engine.nowMs(relayUrl))
    const proposal = findSentProposal(engine, pairingTopic)
    // After a reload, the page continues to wait, see {@link continueSignIns}.
    if (proposal) records.sentProposals.set(proposal.id, { ...proposal, authPayload: payload })
    const answer = awaitAnswer(engine, {
      ...keys,
      pairingTopic,
      payload,
      verify,
      signal: fallback.signal,
    })
    approval.catch(() => {})
    answer.then(end, end)
    await relays.hold(relayUrl, [getTopic(keys.publicKey)])
    await sendAsk(engine, { pairingTopic, publicKey: keys.publicKey, payload, signal })
    return { uri, pairingTopic, expiresAtMs, answer }
  } catch (error) {
    end()
    throw error
  }
}

/**
 * App: continues to wait for the sign-ins that an earlier page requested. See {@link
 * Dapp.continueSignIns}.
 */
export function continueSignIns(engine: Engine, verify: SignInParameters['verify']): void {
  for (const {
    authPayload: payload,
    isCancelled,
    ...proposal
  } of engine.records.sentProposals.all()) {
    const topic = getTopic(proposal.publicKey)
    if (payload === undefined || isCancelled || engine.asks.has(topic)) continue
    const end = () => engine.signal.aborted || endProposalOf(engine, proposal.pairingTopic)
    awaitAnswer(engine, { ...proposal, payload, verify }).then(end, end)
    void engine.relays.hold(engine.relayUrl, [topic]).catch(() => {})
  }
}

type SentSignIn = KeyPair & {
  pairingTopic: string
  payload: AuthPayload
  verify: SignInParameters['verify']
  signal?: AbortSignal
}

/** The wallet's response: a sign-in, or the session from the proposal. */
function awaitAnswer(
  engine: Engine,
  { publicKey, privateKey, pairingTopic, payload, verify, signal }: SentSignIn,
): Promise<SignInResponse> {
  const { asks, relays, relayUrl, records, journal } = engine
  const topic = getTopic(publicKey)
  const stops: (() => void)[] = []
  let isAnswered = false
  const answer = new Promise<SignInResponse>((resolve, reject) => {
    asks.set(topic, {
      relayUrl,
      privateKey,
      async onAnswer(rpc, sealed) {
        isAnswered = true
        try {
          const parts = { rpc, payload, pairingTopic, ...sealed }
          resolve(await acceptSignIn(engine, parts, verify))
          endProposalOf(engine, pairingTopic)
        } catch (error) {
          reject(error)
        }
      },
    })
    // After a reload, the response may have arrived before this waits for it.
    resolvePendingTopics(engine)
    const timer = setTimeout(
      () => reject(new LatchkeyError('PROPOSAL_EXPIRED')),
      pairingSeconds * 1000,
    )
    // In Node, an idle client must not keep the process alive.
    ;(timer as { unref?(): void }).unref?.()
    const giveUp = () => reject(new LatchkeyError('ABORTED'))
    for (const one of [signal, engine.signal]) one?.addEventListener('abort', giveUp)
    stops.push(
      () => clearTimeout(timer),
      () => engine.signal.removeEventListener('abort', giveUp),
      journal.on('session_connect', ({ session }) => {
        const isFallback = !isAnswered && session.pairingTopic === pairingTopic
        if (isFallback) resolve({ cacaos: [], session })
      }),
      journal.on('offer_end', (ended) => {
        // Without a reason it has expired: a wallet has more time for a sign-in.
        if (ended.pairingTopic === pairingTopic && ended.reason) reject(toRejection(ended.reason))
      }),
    )
  }).finally(() => {
    for (const stop of stops) stop()
    asks.delete(topic)
    records.seen.remove(topic)
    relays.drop(topic)
  })
  answer.catch(() => {})
  return answer
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
    iat: rest.iat ?? new Date(nowMs).toISOString(),
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
  const { metadata, records } = engine
  const pairing = records.pairings.get(topic)
  // The wallet has already responded through the proposal.
  if (!pairing) return
  const params = {
    authPayload,
    requester: { publicKey, metadata },
    expiryTimestamp: pairing.expirySeconds,
  }
  const rpc = { id: engine.nextId(pairing.relayUrl), method: sessionAuthenticate.name, params }
  await publish(engine, pairing, rpc, {
    ...sessionAuthenticate.request,
    signal,
  })
}

const findSentProposal = (engine: Engine, pairingTopic: string) =>
  engine.records.sentProposals.all().find((one) => one.pairingTopic === pairingTopic)

function endProposalOf(engine: Engine, pairingTopic: string): void {
  const proposal = findSentProposal(engine, pairingTopic)
  if (proposal) endProposal(engine, proposal.id, { pairingTopic })
}
