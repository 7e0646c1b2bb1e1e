import { takeTokens } from '../kv/tokenBucket.ts'
import {
  type ClientConnection,
  endConnection,
  hasQuota,
  isCrowded,
  leaveTopic,
} from './clientConnection.ts'
import { dropPush, getSubscriptionId, openTopics } from './deliver.ts'
import type { Mailbox, Message } from './mailbox/mailbox.ts'
import type { Publication, RelayCall, SubscribeForm } from './protocol/calls.ts'
import type { Frame } from './protocol/messages.ts'
import { type RelayError, relayError, type Tag } from './protocol/relayError.ts'

/** The most messages in one response to a fetch. `hasMore` indicates that there are more. */
const fetchMaxMessages = 200
const fetchMaxLength = 768 * 1024

/** A call with this number of messages costs as much as one frame. */
const messagesPerToken = 10

/** The error tag for an internal failure of each call. */
const failures: Record<RelayCall['name'], Tag> = {
  publish: 'PublishFailed',
  subscribe: 'SubscribeFailed',
  createTopic: 'CreateTopicFailed',
  unsubscribe: 'Internal',
  fetch: 'Internal',
  acknowledge: 'Internal',
  subscribeAndPublish: 'PublishFailed',
}

/** A request in progress. `id` is raw JSON. */
type Request = { readonly connection: ClientConnection; readonly id: string; answered: boolean }

/**
 * Handles one frame of a connection, except responses to pushes. Works synchronously if nothing has
 * to be awaited.
 */
export function handleMessage(
  connection: ClientConnection,
  frame: Frame,
): Promise<void> | undefined {
  if (connection.refused) return
  if (!take(connection, getCost(frame))) return
  // A response to a request that was never sent.
  if (frame.kind === 'answer') return
  const request = { connection, id: frame.id, answered: false }
  if (frame.kind === 'invalid') return void reply(request, { error: frame.error })
  try {
    return begin(request, frame)?.catch((error) => replyWithFailure(request, frame.call, error))
  } catch (error) {
    replyWithFailure(request, frame.call, error)
  }
}

/**
 * Frames up to this length are parsed before they take tokens: responses to pushes, which cost
 * nothing, are shorter.
 */
const freeLength = 4_096
const lengthPerToken = 65_536

/**
 * Takes tokens for a long frame before it is parsed. Returns false if the connection has sent too
 * much, and ends it.
 */
export function payForSize(connection: ClientConnection, length: number): boolean {
  if (connection.refused) return false
  return length <= freeLength || take(connection, Math.floor(length / lengthPerToken))
}

function take(connection: ClientConnection, cost: number): boolean {
  if (takeTokens(connection.levels, connection.relay.now(), cost)) return true
  connection.refused = true
  endConnection(connection)
  connection.peer.close(1013, 'TooManyRequests')
  return false
}

const getCost = (frame: Frame) =>
  frame.kind === 'request' && frame.call.name === 'publish'
    ? Math.ceil(frame.call.publications.length / messagesPerToken)
    : 1

function replyWithFailure(request: Request, call: RelayCall, error: unknown): void {
  request.connection.relay.report(error)
  if (!request.answered) reply(request, { error: relayError(failures[call.name]) })
}

type CallFrame = Extract<Frame, { kind: 'request' }>
type RelayResponse = { readonly result: unknown } | { readonly error: RelayError }

function begin(request: Request, frame: CallFrame): Promise<void> | undefined {
  const [first, second] = frame.call.name === 'publish' ? frame.call.publications : []
  // By far the most common case.
  if (first && !second) return publishOne(request, first)
  return handleCall(request, frame)
}

async function handleCall(request: Request, { call, prefix = 'irn' }: CallFrame): Promise<void> {
  const { connection } = request
  const { clientId } = connection.peer
  const { mailbox } = connection.relay
  switch (call.name) {
    case 'publish':
      return publish(request, call.publications)
    case 'subscribe': {
      const { joined, answer } = await subscribe(connection, call.topics, call.form)
      reply(request, answer)
      return openTopics(connection, joined, prefix)
    }
    case 'createTopic': {
      const joined = await join(connection, call.topic)
      reply(request, joined ? { result: true } : limitExceeded)
      return openTopics(connection, joined ? [call.topic] : [], prefix)
    }
    case 'subscribeAndPublish':
      if (!(await join(connection, call.topic))) return reply(request, limitExceeded)
      await publish(request, call.publications)
      return openTopics(connection, [call.topic], prefix)
    case 'unsubscribe':
      for (const topic of call.topics) leaveTopic(connection, topic)
      await mailbox.unsubscribe(clientId, call.topics)
      return reply(request, accepted)
    case 'fetch':
      return fetchMessages(request, call.topics)
    case 'acknowledge':
      await Promise.all(
        call.receipts.map(async ({ topic, messageId }) => {
          await mailbox.acknowledge(clientId, topic, messageId)
          dropPush(connection, topic, messageId)
        }),
      )
      return reply(request, accepted)
  }
}

function publishOne(request: Request, publication: Publication): Promise<void> | undefined {
  const outcome = store(request, publication)
  if (outcome instanceof Promise) return outcome.then((later) => published(request, later))
  return published(request, outcome)
}

function published(request: Request, outcome: MailboxResult): Promise<void> | undefined {
  countOutcome(request, outcome)
  reply(request, outcome === 'full' ? full : accepted)
  return typeof outcome === 'string'
    ? undefined
    : request.connection.relay.mailbox.announce(outcome)
}

async function publish(request: Request, publications: readonly Publication[]): Promise<void> {
  const messages: Message[] = []
  let isFull = false
  try {
    for (const publication of publications) {
      const outcome = await store(request, publication)
      countOutcome(request, outcome)
      if (outcome === 'full') isFull = true
      else if (outcome !== 'repeated') messages.push(outcome)
    }
    reply(request, isFull ? full : accepted)
  } finally {
    for (const message of messages) await request.connection.relay.mailbox.announce(message)
  }
}

type MailboxResult = Awaited<ReturnType<Mailbox['publish']>>

const store = ({ connection }: Request, publication: Publication) =>
  connection.relay.mailbox.publish(connection.peer.clientId, publication)

const countOutcome = ({ connection }: Request, outcome: MailboxResult) =>
  connection.relay.count(typeof outcome === 'string' ? outcome : 'published')

const accepted: RelayResponse = { result: true }
const full: RelayResponse = { error: relayError('MailboxLimitExceeded') }
const limitExceeded: RelayResponse = { error: relayError('SubscriberLimitExceeded') }

async function subscribe(
  connection: ClientConnection,
  topics: readonly string[],
  form: SubscribeForm,
): Promise<{ readonly answer: RelayResponse; readonly joined: readonly string[] }> {
  const getId = (topic: string) => getSubscriptionId(connection.peer.clientId, topic)
  if (form === 'many') {
    // A single topic cannot be refused: the connection waits until a full topic has room, and its
    // messages wait in the mailbox.
    if (!(await saveSubscriptions(connection, topics))) return { answer: limitExceeded, joined: [] }
    return { answer: { result: topics.map(getId) }, joined: topics }
  }
  const joined: string[] = []
  const result = []
  for (const topic of topics) {
    const isIn = await join(connection, topic)
    if (isIn) joined.push(topic)
    result.push(isIn ? { id: getId(topic) } : limitExceeded)
  }
  if (form === 'each') return { answer: { result }, joined }
  return { answer: joined[0] === undefined ? limitExceeded : { result: getId(joined[0]) }, joined }
}

const join = async (connection: ClientConnection, topic: string) =>
  !isCrowded(connection, topic) && saveSubscriptions(connection, [topic])

const saveSubscriptions = async (connection: ClientConnection, topics: readonly string[]) =>
  hasQuota(connection, topics) &&
  connection.relay.mailbox.subscribe(connection.peer.clientId, topics)

async function fetchMessages(request: Request, topics: readonly string[]): Promise<void> {
  const { connection } = request
  const { mailbox } = connection.relay
  const { clientId } = connection.peer
  const fetched: Message[] = []
  let length = 0
  let hasMore = false
  for (const topic of new Set(topics)) {
    for (const message of hasMore ? [] : await mailbox.readUnseen(clientId, topic)) {
      length += message.message.length + (message.attestation?.length ?? 0)
      hasMore =
        fetched.length >= fetchMaxMessages || (fetched.length > 0 && length > fetchMaxLength)
      if (hasMore) break
      fetched.push(message)
    }
  }
  const messages = fetched.map(({ topic, message, attestation, publishedAtMs, tag }) => {
    const base = { topic, message, publishedAt: publishedAtMs, tag }
    return attestation === undefined ? base : { ...base, attestation }
  })
  reply(request, { result: { messages, hasMore } })
  if (!connection.open) return
  await Promise.all(fetched.map(({ topic, id }) => mailbox.acknowledge(clientId, topic, id)))
}

function reply(request: Request, answer: RelayResponse): void {
  const { id, connection } = request
  request.answered = true
  if (!connection.open) return
  const content = answer === accepted ? '"result":true' : JSON.stringify(answer).slice(1, -1)
  connection.peer.send(`{"id":${id},"jsonrpc":"2.0",${content}}`)
}
