import { isError, LatchkeyError } from '@latchkey/wire'
import type { AuthPayload, Dapp } from '../client.ts'
import { generateKeyPair, getTopic } from '../crypto/crypto.ts'
import type { Engine } from '../engine.ts'
import { sessionAuthenticate } from '../rpc/sessionAuthenticate.ts'
import { proposeSession } from '../rpc/sessionPropose.ts'
import { publish } from '../send.ts'
import { endOffer } from '../session/pairing.ts'
import { type Answer, acceptSignIn, type SignInParameters } from './acceptSignIn.ts'
import { formatRecap } from './recap.ts'

type SignInOffer = Awaited<ReturnType<Dapp['authenticate']>>

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
              await acceptSignIn(
                engine,
                { rpc, payload, pairingTopic, ...sealed },
                parameters.verify,
              ),
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

function endPairingOffer(engine: Engine, pairingTopic: string): void {
  const offer = engine.records.offers.all().find((one) => one.pairingTopic === pairingTopic)
  if (offer) endOffer(engine, offer.id, { pairingTopic })
}
