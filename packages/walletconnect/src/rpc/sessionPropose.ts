import { isError, LatchkeyError } from '@latchkey/wire'
import type { Dapp, WalletConnectSession } from '../client.ts'
import type { ProtocolError } from '../codes.ts'
import { deriveKey, generateKey, generateKeyPair, getTopic } from '../crypto/crypto.ts'
import type { KeyPair } from '../crypto/curve.ts'
import type { Engine } from '../engine.ts'
import type { RpcResponse } from '../jsonRpc.ts'
import type { SentProposalRecord } from '../records.ts'
import { waitForRelay } from '../relay/waitForRelay.ts'
import { publish, seal } from '../send.ts'
import { checkProposal } from '../session/namespaces.ts'
import { endProposal, pairingSeconds } from '../session/pairing.ts'
import { resolvePendingTopics } from '../session/pendingTopics.ts'
import { formatPairingUri } from '../session/uri.ts'
import { array, type Infer, object, optional, read, withDefault } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import {
  peer,
  properties,
  proposalNamespaces,
  publicKeyShape,
  relay,
  timestamp,
  topic,
} from './shapes.ts'

/** An app's session proposal, on the pairing's topic. */
export const sessionPropose = {
  name: 'wc_sessionPropose',
  request: { tag: 1100, ttl: 300, prompt: true },
  response: { tag: 1101, ttl: 300, prompt: false },
  reject: { tag: 1120, ttl: 300, prompt: false },
  autoReject: { tag: 1121, ttl: 300, prompt: false },
  params: object({
    requiredNamespaces: withDefault(proposalNamespaces, {}),
    optionalNamespaces: withDefault(proposalNamespaces, {}),
    relays: array(relay),
    proposer: peer,
    expiryTimestamp: optional(timestamp),
    pairingTopic: optional(topic),
    sessionProperties: optional(properties),
    scopedProperties: optional(properties),
  }),
  result: object({ relay, responderPublicKey: publicKeyShape }),
} as const satisfies RpcMethod

type ConnectParameters = Pick<
  Parameters<Dapp['connect']>[0],
  'optionalNamespaces' | 'sessionProperties' | 'scopedProperties' | 'signal'
> & {
  /**
   * A key that another call on the pairing also uses, and the methods that the URI lists for it.
   */
  keys?: KeyPair
  methods?: string[]
}

/** App: proposes a session on a new pairing. See {@link Dapp.connect}. */
export async function proposeSession(
  engine: Engine,
  parameters: ConnectParameters,
): ReturnType<Dapp['connect']> {
  const { signal } = parameters
  checkParameters(parameters)
  if (signal?.aborted) throw new LatchkeyError('ABORTED')
  const { records, relayUrl, nowMs } = engine
  const { publicKey, privateKey } = parameters.keys ?? (await generateKeyPair())
  const key = generateKey()
  const pairingTopic = getTopic(key)
  const secondsFromNow = () => Math.floor(nowMs(relayUrl) / 1000) + pairingSeconds
  const pairing = { topic: pairingTopic, key, relayUrl, isActive: false, signsIn: false }
  records.pairings.set(pairingTopic, { ...pairing, expirySeconds: secondsFromNow() })
  let id = 0
  try {
    // The relay's clock counts, and is known after connecting.
    await waitForRelay(engine, relayUrl, { topic: pairingTopic, signal })
    id = engine.nextId(relayUrl)
    const expirySeconds = secondsFromNow()
    records.pairings.set(pairingTopic, { ...pairing, expirySeconds })
    const proposal: SentProposalRecord = {
      id,
      pairingTopic,
      relayUrl,
      publicKey,
      privateKey,
      expirySeconds,
      candidates: [],
      isCancelled: false,
    }
    records.sentProposals.set(id, proposal)
    const approval = awaitApproval(engine, proposal, signal)
    await sendProposal(
      engine,
      { ...pairing, id },
      createParams(engine, proposal, parameters),
      signal,
    )
    const { methods = [] } = parameters
    const uri = { topic: pairingTopic, symKey: key, relayProtocol: 'irn', relayUrl, methods }
    return {
      uri: formatPairingUri({ ...uri, expiry: expirySeconds }),
      pairingTopic,
      expiresAtMs: expirySeconds * 1000,
      approval,
    }
  } catch (error) {
    endProposal(engine, id, { pairingTopic })
    throw error
  }
}

function checkParameters({ optionalNamespaces }: ConnectParameters): void {
  const wrong = checkProposal({ requiredNamespaces: {}, optionalNamespaces })
  if (wrong)
    throw new LatchkeyError('MISSING_OR_INVALID', {
      data: { context: `connect() optionalNamespaces: ${wrong.message}` },
    })
}

function createParams(
  { metadata }: Engine,
  { publicKey, pairingTopic, expirySeconds }: SentProposalRecord,
  { optionalNamespaces, sessionProperties, scopedProperties }: ConnectParameters,
): Infer<typeof sessionPropose.params> {
  return {
    relays: [{ protocol: 'irn' }],
    proposer: { publicKey, metadata },
    requiredNamespaces: {},
    optionalNamespaces,
    expiryTimestamp: expirySeconds,
    pairingTopic,
    sessionProperties,
    scopedProperties,
  }
}

// Older relays do not have this call; the topic is subscribed either way.
async function sendProposal(
  engine: Engine,
  target: { topic: string; key: string; relayUrl: string; id: number },
  params: unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { olderRelays, relays } = engine
  const { topic, relayUrl, id } = target
  const rpc = { id, method: sessionPropose.name, params }
  const { ttl } = sessionPropose.request
  if (!olderRelays.has(relayUrl)) {
    const call = {
      method: 'wc_proposeSession',
      params: { pairingTopic: topic, sessionProposal: seal(engine, target, rpc), ttl },
      topic,
    }
    try {
      await relays.use(relayUrl, (one) => one.call(signal ? { ...call, signal } : call))
      return
    } catch (error) {
      if (!isError(error, 'METHOD_NOT_FOUND')) throw error
      olderRelays.add(relayUrl)
    }
  }
  await publish(engine, target, rpc, { ...sessionPropose.request, signal })
}

function awaitApproval(
  engine: Engine,
  { id, pairingTopic }: SentProposalRecord,
  signal: AbortSignal | undefined,
): Promise<WalletConnectSession> {
  const { journal } = engine
  const stops: (() => void)[] = []
  const approval = new Promise<WalletConnectSession>((resolve, reject) => {
    const abort = () => {
      cancelProposal(engine, id)
      reject(new LatchkeyError('ABORTED'))
    }
    const close = () => reject(new LatchkeyError('ABORTED'))
    signal?.addEventListener('abort', abort)
    engine.signal.addEventListener('abort', close)
    stops.push(
      () => signal?.removeEventListener('abort', abort),
      () => engine.signal.removeEventListener('abort', close),
      journal.on('session_connect', ({ session }) => {
        if (session.pairingTopic === pairingTopic) resolve(session)
      }),
      journal.on('offer_end', (ended) => {
        if (ended.pairingTopic !== pairingTopic) return
        const { reason } = ended
        reject(reason ? rejected(reason) : new LatchkeyError('PROPOSAL_EXPIRED'))
      }),
    )
  }).finally(() => {
    for (const stop of stops) stop()
  })
  // A caller that only wants the URI need not wait for the approval.
  approval.catch(() => {})
  return approval
}

const rejected = (reason: ProtocolError) =>
  new LatchkeyError('SESSION_REJECTED', { data: { message: reason.message }, cause: reason })

// A wallet that is about to approve then gets the error that the proposal was withdrawn.
function cancelProposal({ records }: Engine, id: number): void {
  const proposal = records.sentProposals.get(id)
  if (proposal) records.sentProposals.set(id, { ...proposal, isCancelled: true })
}

const maxCandidates = 4

/** App: a wallet rejects, or sends the key with which it will settle. */
export async function onProposalAnswer(
  engine: Engine,
  pairingTopic: string,
  answer: RpcResponse,
): Promise<void> {
  const { records, relays } = engine
  const id = Number(answer.id)
  const proposal = records.sentProposals.get(id)
  if (proposal?.pairingTopic !== pairingTopic) return
  if ('error' in answer) return refuseProposal(engine, proposal, answer.error)
  const publicKey = read(sessionPropose.result, answer.result)?.responderPublicKey
  const key = publicKey && (await deriveKey(proposal.privateKey, publicKey).catch(() => undefined))
  const current = records.sentProposals.get(id)
  // An invalid response does not end the proposal: another wallet may have scanned the code too.
  if (current === undefined || !publicKey || !key) return
  const sessionTopic = getTopic(key)
  const { candidates } = current
  if (candidates.length < maxCandidates && !candidates.some(({ topic }) => topic === sessionTopic))
    records.sentProposals.set(id, {
      ...current,
      candidates: [...candidates, { topic: sessionTopic, key, publicKey }],
    })
  void relays.hold(current.relayUrl, [sessionTopic]).catch(() => {})
  resolvePendingTopics(engine)
}

/** App: a proposal ends without a session, and its caller gets the reason. */
export function refuseProposal(
  engine: Engine,
  { id, pairingTopic, isCancelled }: SentProposalRecord,
  { code, message }: ProtocolError,
): void {
  endProposal(engine, id, { pairingTopic })
  if (isCancelled) return
  const reason = { code, message }
  engine.journal.emit('offer_end', { pairingTopic, reason }, pairingTopic)
}
