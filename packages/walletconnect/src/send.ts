import { isError, type LatchkeyError } from '@latchkey/wire'
import { getMessageId, sealEnvelope } from './crypto/crypto.ts'
import type { Engine } from './engine.ts'
import { formatRpc, type RpcMessage, type RpcResponse } from './jsonRpc.ts'
import { type AnswerRecord, getSurplus } from './records.ts'
import type { Publish } from './rpc/method.ts'
import { isExpired } from './session/isExpired.ts'
import { markProcessed } from './session/processedMessages.ts'

/** The topic and relay of a message. */
export type PeerTarget = { topic: string; key: string; relayUrl: string }

const maxPosts = 100

/** Seals a message and marks it as handled, so that its echo is ignored. */
export function seal(engine: Engine, { topic, key }: PeerTarget, rpc: RpcMessage): string {
  const message = sealEnvelope(formatRpc(rpc), { type: 0, key })
  markProcessed(engine, topic, [getMessageId(message)])
  return message
}

/** Publishes a message while its caller waits. Throws the errors of the relay's `publish`. */
export async function publish(
  engine: Engine,
  target: PeerTarget,
  rpc: RpcMessage,
  { signal, ...options }: Publish & { signal?: AbortSignal | undefined },
): Promise<void> {
  const message = { topic: target.topic, message: seal(engine, target, rpc), ...options }
  await engine.relays.use(target.relayUrl, (relay) =>
    relay.publish(signal ? { ...message, signal } : message),
  )
}

/**
 * Publishes a message that must arrive. The message is stored, across reloads and lost connections,
 * until the relay has it or it expires. Throws the errors of the relay's `publish`; after
 * RELAY_UNREACHABLE it is sent when the relay is back.
 */
export async function post(
  engine: Engine,
  target: PeerTarget,
  rpc: RpcMessage,
  options: Publish,
): Promise<void> {
  await deliverPost(engine, keepPost(engine, target, seal(engine, target, rpc), options))
}

/** Keeps a sealed message until it is delivered or forgotten; returns its id. */
export function keepPost(
  { records, nowMs }: Engine,
  { topic, relayUrl }: { topic: string; relayUrl: string },
  message: string,
  { tag, ttl, prompt }: Publish,
): string {
  const expirySeconds = Math.floor(nowMs(relayUrl) / 1000) + ttl
  const record = { relayUrl, topic, message, tag, ttl, prompt, expirySeconds }
  const id = getMessageId(message)
  for (const oldest of getSurplus(records.posts, maxPosts)) records.posts.remove(oldest)
  records.posts.set(id, record)
  return id
}

/** Forgets a message that the relay has. */
export const forgetPost = ({ records }: Engine, id: string): void => records.posts.remove(id)

/** Publishes a stored message. */
export async function deliverPost(engine: Engine, id: string): Promise<void> {
  const record = engine.records.posts.get(id)
  if (record === undefined) return
  const { relayUrl, expirySeconds: _, ...message } = record
  engine.underway.add(id)
  try {
    await engine.relays.use(relayUrl, (relay) => relay.publish(message))
    forgetPost(engine, id)
  } catch (error) {
    // Refused because of its content: it would be refused again.
    if (isError(error, 'RELAY_REFUSED')) forgetPost(engine, id)
    throw error
  } finally {
    engine.underway.delete(id)
  }
}

/**
 * Sends messages that relays do not have yet, and deletes messages that have expired by the relay's
 * time.
 */
export function flushPosts(engine: Engine): void {
  const { records, underway } = engine
  for (const id of records.posts.ids()) {
    const record = records.posts.get(id)
    if (record === undefined || underway.has(id)) continue
    if (isExpired(engine, record)) forgetPost(engine, id)
    else deliverPost(engine, id).catch(() => {})
  }
}

/**
 * An outgoing call. `sent` resolves when the relay has it, `answer` when the other side has
 * responded. `forget` ends the wait.
 */
export type PeerCall = {
  id: number
  sent: Promise<void>
  answer: Promise<RpcResponse>
  forget(): void
}

/** Calls the other side. The response may arrive in any tab. */
export function callPeer(
  engine: Engine,
  target: PeerTarget,
  {
    id,
    method,
    params,
    expirySeconds,
    ...options
  }: {
    id: number
    method: string
    params: unknown
    expirySeconds: number
    signal?: AbortSignal | undefined
  } & Publish,
): PeerCall {
  const { topic, relayUrl } = target
  const { records, waits } = engine
  const key = `${topic}/${id}`
  records.calls.set(key, { id, topic, relayUrl, expirySeconds })
  const forget = () => {
    waits.delete(key)
    records.calls.remove(key)
    records.answers.remove(key)
  }
  const answer = new Promise<RpcResponse>((resolve, reject) => {
    waits.set(key, { resolve, reject })
  })
  // A caller that waits for `sent` learns of the failure there.
  answer.catch(() => {})
  const sent = publish(engine, target, { id, method, params }, options)
  sent.catch(forget)
  return { id, sent, answer, forget }
}

/** Passes a response to the tab that waits for it, which may be another tab. */
export function onAnswer(engine: Engine, topic: string, answer: RpcResponse): void {
  const { records, waits } = engine
  const key = `${topic}/${answer.id}`
  const wait = waits.get(key)
  if (wait === undefined) {
    if (records.calls.get(key)) records.answers.set(key, withoutId(answer))
    return
  }
  waits.delete(key)
  records.calls.remove(key)
  wait.resolve(answer)
}

const withoutId = (answer: RpcResponse): AnswerRecord =>
  'error' in answer ? { error: answer.error } : { result: answer.result }

/** Takes responses that another tab received. */
export function claimAnswers(engine: Engine): void {
  const { records, waits } = engine
  for (const [key, { resolve }] of [...waits]) {
    const found = records.answers.get(key)
    if (found === undefined) continue
    waits.delete(key)
    records.answers.remove(key)
    records.calls.remove(key)
    resolve({ id: Number(key.split('/')[1]), ...found } as RpcResponse)
  }
}

/** Ends every wait on a topic. */
export function rejectWaits(engine: Engine, topic: string, error: LatchkeyError): void {
  for (const [key, { reject }] of [...engine.waits]) {
    if (!key.startsWith(`${topic}/`)) continue
    engine.waits.delete(key)
    reject(error)
  }
}
