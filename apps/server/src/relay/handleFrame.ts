import { end, hasRoom, isCrowded, type Line, leave } from './clientConnection.ts'
import { forgetCopy, open, subscriptionId } from './deliver.ts'
import type { Mailbox, Message } from './mailbox/mailbox.ts'
import type { Call, Publication, SubscribeForm } from './protocol/calls.ts'
import type { Frame } from './protocol/frames.ts'
import { type RelayError, relayError, type Tag } from './protocol/relayError.ts'
import { takeTokens } from './quota/quota.ts'

/** Bounds of one answer to a fetch; `hasMore` tells of the rest. */
const fetchMaxMessages = 200
const fetchMaxLength = 768 * 1024

/** So many messages published in one call cost as much as a frame. */
const messagesPerToken = 10

/** The tag of the error when a call fails inside. */
const failures: Record<Call['name'], Tag> = {
  publish: 'PublishFailed',
  subscribe: 'SubscribeFailed',
  createTopic: 'CreateTopicFailed',
  unsubscribe: 'Internal',
  fetch: 'Internal',
  acknowledge: 'Internal',
  subscribeAndPublish: 'PublishFailed',
}

/** A request under way. `id` is raw JSON. */
type Request = { readonly line: Line; readonly id: string; answered: boolean }

/** Handles one frame of a connection, but for answers to pushes. Done at once when nothing has to be waited for. */
export function handleFrame(line: Line, frame: Frame): Promise<void> | undefined {
  if (line.refused) return
  if (!takeTokens(line.levels, line.relay.now(), costOf(frame))) {
    line.refused = true
    end(line)
    line.peer.close(1013, 'TooManyRequests')
    return
  }
  // Nobody asked for it.
  if (frame.kind === 'answer') return
  const request = { line, id: frame.id, answered: false }
  if (frame.kind === 'invalid') return void reply(request, { error: frame.error })
  try {
    return begin(request, frame)?.catch((error) => fail(request, frame.call, error))
  } catch (error) {
    fail(request, frame.call, error)
  }
}

const costOf = (frame: Frame) =>
  frame.kind === 'request' && frame.call.name === 'publish'
    ? Math.ceil(frame.call.publications.length / messagesPerToken)
    : 1

function fail(request: Request, call: Call, error: unknown): void {
  request.line.relay.report(error)
  if (!request.answered) reply(request, { error: relayError(failures[call.name]) })
}

type CallFrame = Extract<Frame, { kind: 'request' }>
type Answer = { readonly result: unknown } | { readonly error: RelayError }

function begin(request: Request, frame: CallFrame): Promise<void> | undefined {
  const [first, second] = frame.call.name === 'publish' ? frame.call.publications : []
  // The usual one by far.
  if (first && !second) return publishOne(request, first)
  return handleCall(request, frame)
}

async function handleCall(request: Request, { call, prefix = 'irn' }: CallFrame): Promise<void> {
  const { line } = request
  const { clientId } = line.peer
  const { mailbox } = line.relay
  switch (call.name) {
    case 'publish':
      return publish(request, call.publications)
    case 'subscribe': {
      const { joined, given } = await subscribe(line, call.topics, call.form)
      reply(request, given)
      return open(line, joined, prefix)
    }
    case 'createTopic': {
      const joined = await join(line, call.topic)
      reply(request, joined ? { result: true } : crowded)
      return open(line, joined ? [call.topic] : [], prefix)
    }
    case 'subscribeAndPublish':
      if (!(await join(line, call.topic))) return reply(request, crowded)
      await publish(request, call.publications)
      return open(line, [call.topic], prefix)
    case 'unsubscribe':
      for (const topic of call.topics) leave(line, topic)
      await mailbox.unsubscribe(clientId, call.topics)
      return reply(request, accepted)
    case 'fetch':
      return fetchMessages(request, call.topics)
    case 'acknowledge':
      await Promise.all(
        call.receipts.map(async ({ topic, messageId }) => {
          await mailbox.acknowledge(clientId, topic, messageId)
          forgetCopy(line, topic, messageId)
        }),
      )
      return reply(request, accepted)
  }
}

function publishOne(request: Request, publication: Publication): Promise<void> | undefined {
  const outcome = keep(request, publication)
  if (outcome instanceof Promise) return outcome.then((later) => published(request, later))
  return published(request, outcome)
}

function published(request: Request, outcome: Outcome): Promise<void> | undefined {
  countOutcome(request, outcome)
  reply(request, outcome === 'full' ? full : accepted)
  return typeof outcome === 'string' ? undefined : request.line.relay.mailbox.announce(outcome)
}

async function publish(request: Request, publications: readonly Publication[]): Promise<void> {
  const kept: Message[] = []
  let isFull = false
  try {
    for (const publication of publications) {
      const outcome = await keep(request, publication)
      countOutcome(request, outcome)
      if (outcome === 'full') isFull = true
      else if (outcome !== 'repeated') kept.push(outcome)
    }
    reply(request, isFull ? full : accepted)
  } finally {
    for (const message of kept) await request.line.relay.mailbox.announce(message)
  }
}

type Outcome = Awaited<ReturnType<Mailbox['publish']>>

const keep = ({ line }: Request, publication: Publication) =>
  line.relay.mailbox.publish(line.peer.clientId, publication)

const countOutcome = ({ line }: Request, outcome: Outcome) =>
  line.relay.count(typeof outcome === 'string' ? outcome : 'published')

const accepted: Answer = { result: true }
const full: Answer = { error: relayError('MailboxLimitExceeded') }
const crowded: Answer = { error: relayError('SubscriberLimitExceeded') }

async function subscribe(
  line: Line,
  topics: readonly string[],
  form: SubscribeForm,
): Promise<{ readonly given: Answer; readonly joined: readonly string[] }> {
  const idOf = (topic: string) => subscriptionId(line.peer.clientId, topic)
  if (form === 'many') {
    // No topic can be refused alone: a crowded one waits for room, and its messages in the mailbox.
    if (!(await remember(line, topics))) return { given: crowded, joined: [] }
    return { given: { result: topics.map(idOf) }, joined: topics }
  }
  const joined: string[] = []
  const result = []
  for (const topic of topics) {
    const isIn = await join(line, topic)
    if (isIn) joined.push(topic)
    result.push(isIn ? { id: idOf(topic) } : crowded)
  }
  if (form === 'each') return { given: { result }, joined }
  return { given: joined[0] === undefined ? crowded : { result: idOf(joined[0]) }, joined }
}

const join = async (line: Line, topic: string) => !isCrowded(line, topic) && remember(line, [topic])

const remember = async (line: Line, topics: readonly string[]) =>
  hasRoom(line, topics) && line.relay.mailbox.subscribe(line.peer.clientId, topics)

async function fetchMessages(request: Request, topics: readonly string[]): Promise<void> {
  const { line } = request
  const { mailbox } = line.relay
  const { clientId } = line.peer
  const fetched: Message[] = []
  let length = 0
  let hasMore = false
  for (const topic of new Set(topics)) {
    for (const message of hasMore ? [] : await mailbox.unseen(clientId, topic)) {
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
  if (!line.open) return
  await Promise.all(fetched.map(({ topic, id }) => mailbox.acknowledge(clientId, topic, id)))
}

function reply(request: Request, given: Answer): void {
  const { id, line } = request
  request.answered = true
  if (!line.open) return
  const said = given === accepted ? '"result":true' : JSON.stringify(given).slice(1, -1)
  line.peer.send(`{"id":${id},"jsonrpc":"2.0",${said}}`)
}
