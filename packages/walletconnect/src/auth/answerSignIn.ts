import { isError, LatchkeyError } from '@latchkey/wire'
import type { AuthRequest, Cacao, Wallet, WalletConnectSession } from '../client.ts'
import { type ProtocolError, protocolError } from '../codes.ts'
import { deriveKey, generateKeyPair, getTopic, sealEnvelope } from '../crypto/crypto.ts'
import type { Engine, Inbound, Reply } from '../engine.ts'
import { fitsQueue } from '../fitsQueue.ts'
import { formatRpc, type RpcError, toLocalId, toRpcId } from '../jsonRpc.ts'
import type { AuthRecord } from '../records.ts'
import type { Publish } from '../rpc/method.ts'
import { sessionAuthenticate } from '../rpc/sessionAuthenticate.ts'
import { deliverPost, keepPost } from '../send.ts'
import { isExpired } from '../session/isExpired.ts'
import { offersSignIn } from '../session/proposal.ts'
import { removeSession, sessionSeconds } from '../session/session.ts'
import { read } from '../shape.ts'
import { formatMessage, getPayload, isAsRequested, toSessionNamespaces } from './cacao.ts'

const maxAuths = 20

/**
 * Wallet: handles a sign-in request of an app. Without a listener, responds that this wallet does
 * not support sign-ins.
 */
export async function onAuthRequest(
  engine: Engine,
  { place, id, params }: Inbound,
): Promise<Reply | undefined> {
  const { records, journal } = engine
  const { topic: pairingTopic, relayUrl } = place
  if (!offersSignIn(engine, pairingTopic)) return { error: protocolError('UNSUPPORTED_WC_METHOD') }
  const found = read(sessionAuthenticate.params, params)
  if (found === undefined) return { error: protocolError('MALFORMED_REQUEST_PARAMS') }
  const { authPayload, requester, expiryTimestamp } = found
  if (!(await isKey(requester.publicKey)))
    return { error: protocolError('MALFORMED_REQUEST_PARAMS') }
  const latest = Math.floor(engine.nowMs(relayUrl) / 1000) + sessionSeconds
  const expirySeconds = Math.min(expiryTimestamp, latest)
  const isUsedElsewhere = (one: number) =>
    (records.auths.get(one)?.pairingTopic ?? pairingTopic) !== pairingTopic
  const record: AuthRecord = {
    ...toLocalId(id, () => engine.nextId(relayUrl), isUsedElsewhere),
    pairingTopic,
    relayUrl,
    requester,
    authPayload,
    expirySeconds,
  }
  const wrong = wrongIn(engine, record)
  if (wrong || !fitsQueue(records.auths.all(), record, maxAuths)) {
    const error = wrong ?? protocolError('AUTH_USER_REJECTED')
    void answer(engine, record, { error, options: sessionAuthenticate.autoReject }).catch(() => {})
    return undefined
  }
  records.auths.set(record.id, record)
  const request = toAuthRequest(record)
  journal.emit('session_authenticate', { request }, `${pairingTopic}/${record.id}`)
  return undefined
}

// Without a valid key there is no one to respond to, so the request can be neither approved nor
// rejected.
const isKey = async (publicKey: string): Promise<boolean> => {
  const { privateKey } = await generateKeyPair()
  return deriveKey(privateKey, publicKey).then(
    () => true,
    () => false,
  )
}

function wrongIn(engine: Engine, record: AuthRecord): ProtocolError | undefined {
  if (isExpired(engine, record)) return protocolError('AUTH_REQUEST_EXPIRED')
  const { chains } = record.authPayload
  return chains.every((chain) => /^eip155:\d{1,20}$/.test(chain))
    ? undefined
    : protocolError('UNSUPPORTED_CHAINS')
}

/** A sign-in in the form that a wallet's screen shows. */
export const toAuthRequest = ({ wireId: _, requester, ...rest }: AuthRecord): AuthRequest => ({
  ...rest,
  requester: requester.metadata,
})

/** Wallet: returns a sign-in that has not expired. Throws NO_MATCHING_KEY, EXPIRED. */
function findAuth(engine: Engine, id: number): AuthRecord {
  const record = engine.records.auths.get(id)
  if (record === undefined)
    throw new LatchkeyError('NO_MATCHING_KEY', {
      data: { context: `auth request id doesn't exist: ${id}` },
    })
  if (isExpired(engine, record))
    throw new LatchkeyError('EXPIRED', { data: { context: `auth request id: ${id}` } })
  return record
}

/** Wallet: the message to sign for one account. See {@link Wallet.formatAuthMessage}. */
export function formatAuthMessage(
  engine: Engine,
  id: number,
  allowed: Parameters<Wallet['formatAuthMessage']>[1],
): ReturnType<Wallet['formatAuthMessage']> {
  const payload = getPayload(findAuth(engine, id).authPayload, allowed)
  return { message: formatMessage(payload), payload }
}

/**
 * Wallet: signs in, and opens a session if methods are allowed with it. Throws NO_MATCHING_KEY,
 * EXPIRED, MISSING_OR_INVALID.
 */
export async function approveSignIn(
  engine: Engine,
  id: number,
  cacaos: readonly Cacao[],
): Promise<WalletConnectSession | undefined> {
  const { records, journal, metadata, nowMs } = engine
  const request = findAuth(engine, id)
  const { authPayload, relayUrl, pairingTopic, requester } = request
  const isRight = cacaos.every((cacao) => isAsRequested(cacao, authPayload, nowMs(relayUrl)))
  if (cacaos.length === 0 || !isRight)
    throw new LatchkeyError('MISSING_OR_INVALID', {
      data: { context: 'approveAuthenticate() cacaos' },
    })
  const keys = await generateKeyPair()
  const key = await deriveKey(keys.privateKey, requester.publicKey)
  // Another tab may have responded meanwhile.
  findAuth(engine, id)
  const namespaces = toSessionNamespaces(cacaos)
  const session: WalletConnectSession | undefined = namespaces && {
    topic: getTopic(key),
    pairingTopic,
    relayUrl,
    namespaces,
    requiredNamespaces: {},
    self: metadata,
    peer: requester.metadata,
    isController: true,
    isAcknowledged: true,
    expirySeconds: Math.floor(nowMs(relayUrl) / 1000) + sessionSeconds,
  }
  if (session) {
    records.sessions.set(session.topic, { session, key, lastIds: {} })
    void engine.relays.hold(relayUrl, [session.topic]).catch(() => {})
  }
  const responder = { publicKey: keys.publicKey, metadata }
  try {
    await answer(engine, request, {
      result: { cacaos, responder },
      options: sessionAuthenticate.response,
      keys: { ...keys, key },
    })
  } catch (error) {
    // The app never receives this session.
    if (session && isError(error, 'RELAY_REFUSED')) removeSession(engine, session.topic)
    throw error
  }
  const pairing = records.pairings.get(pairingTopic)
  if (pairing) records.pairings.set(pairingTopic, { ...pairing, isActive: true })
  if (session) journal.emit('session_connect', { session }, session.topic)
  return session
}

/** Wallet: rejects a sign-in. Throws NO_MATCHING_KEY, EXPIRED. */
export async function rejectSignIn(
  engine: Engine,
  id: number,
  { code, message }: ProtocolError = protocolError('AUTH_USER_REJECTED'),
): Promise<void> {
  const error = { code, message }
  await answer(engine, findAuth(engine, id), { error, options: sessionAuthenticate.reject })
}

type ResponseParameters = ({ result: unknown } | { error: RpcError }) & {
  options: Publish
  keys?: { publicKey: string; privateKey: string; key: string }
}

// Sealed for the app's key, on the topic of that key.
async function answer(
  engine: Engine,
  request: AuthRecord,
  { options, keys: given, ...body }: ResponseParameters,
): Promise<void> {
  const { relayUrl, requester } = request
  const keys = given ?? (await generateKeyPair())
  const key = given?.key ?? (await deriveKey(keys.privateKey, requester.publicKey))
  const seal = { type: 1, key, senderPublicKey: keys.publicKey } as const
  const message = sealEnvelope(formatRpc({ id: toRpcId(request), ...body }), seal)
  engine.records.auths.remove(request.id)
  const target = { topic: getTopic(requester.publicKey), relayUrl }
  await deliverPost(engine, keepPost(engine, target, message, options))
}
