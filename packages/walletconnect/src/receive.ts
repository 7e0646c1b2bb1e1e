import { protocolError } from './codes.ts'
import { deriveKey, getMessageId, getSender, openEnvelope } from './crypto/crypto.ts'
import type { Engine, Inbound, PendingSignIn, Reply } from './engine.ts'
import { parseRpc, type RpcMessage, type RpcRequest, type RpcResponse } from './jsonRpc.ts'
import type { RelayMessage } from './relay/relayClient.ts'
import type { Publish } from './rpc/method.ts'
import { isMethodName, rpcMethods } from './rpc/methods.ts'
import { post } from './send.ts'
import { waitForTopic } from './session/pendingTopics.ts'
import { isProcessed, markProcessed } from './session/processedMessages.ts'
import { findTopicContext } from './session/topics.ts'

/** Handles a message and resolves when the outcome is stored. Never rejects. */
export async function receive(
  engine: Engine,
  relayUrl: string,
  { topic, message }: Pick<RelayMessage, 'topic' | 'message'>,
): Promise<void> {
  const place = findTopicContext(engine, topic)
  if (place === undefined) {
    if (await waitForTopic(engine, topic)) await receive(engine, relayUrl, { topic, message })
    return
  }
  // A message that does not belong to its topic is not for us.
  if (place.relayUrl !== relayUrl) return
  const hash = getMessageId(message)
  if (isProcessed(engine, topic, hash)) return
  if (place.kind === 'ask') {
    const sealed = await openForMe(message, place.signIn)
    if (sealed) markProcessed(engine, topic, [hash])
    return sealed && place.signIn.onAnswer(sealed.rpc, sealed)
  }
  const rpc = open(message, { type: 0, key: place.key })
  if (rpc === undefined) return
  if ('method' in rpc) return onRequest(engine, place, rpc, hash)
  await engine.role.answer(engine, place, rpc)
  markProcessed(engine, topic, [hash])
}

function open(message: string, seal: { type: 0 | 1; key: string }): RpcMessage | undefined {
  try {
    return parseRpc(openEnvelope(message, seal))
  } catch {
    return undefined
  }
}

async function openForMe(
  message: string,
  { privateKey }: PendingSignIn,
): Promise<{ rpc: RpcResponse; sender: string; key: string } | undefined> {
  try {
    const sender = getSender(message)
    const key = await deriveKey(privateKey, sender)
    const rpc = open(message, { type: 1, key })
    return rpc === undefined || 'method' in rpc ? undefined : { rpc, sender, key }
  } catch {
    return undefined
  }
}

async function onRequest(
  engine: Engine,
  place: Inbound['place'],
  { id, method, params }: RpcRequest,
  hash: string,
): Promise<void> {
  const { topic } = place
  const idKey = `${typeof id} ${id}`
  if (isProcessed(engine, topic, idKey)) return markProcessed(engine, topic, [hash])
  const reply = await replyTo(engine, { place, id, params }, method)
  markProcessed(engine, topic, [hash, idKey])
  if (reply === undefined) return
  const { publish, ...body } = reply
  const usual = isMethodName(method) ? rpcMethods[method].response : unknown
  void post(engine, place, { id, ...body }, publish ?? usual).catch(() => {})
}

// The tag of messages that belong to no method.
const unknown: Publish = { tag: 0, ttl: 300, prompt: false }

function replyTo(
  engine: Engine,
  inbound: Inbound,
  method: string,
): Reply | undefined | Promise<Reply | undefined> {
  if (!isMethodName(method)) return { error: protocolError('UNSUPPORTED_WC_METHOD') }
  return engine.role.requests[inbound.place.kind][method]?.(engine, inbound)
}
