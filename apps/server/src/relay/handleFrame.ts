import type { Call, Publication, SubscribeForm } from './calls.ts'
import { forgetCopy, open, subscriptionId } from './deliver.ts'
import type { Frame } from './frames.ts'
import { end, hasRoom, isCrowded, type Line, leave } from './line.ts'
import type { Message } from './mailbox.ts'
import { takeTokens } from './quota.ts'
import { type RelayError, relayError, type Tag } from './relayError.ts'

/** Bounds of one answer to a fetch; `hasMore` tells of the rest. */
const fetchMaxMessages = 200
const fetchMaxLength = 768 * 1024

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

/** Handles one frame of a connection, but for answers to pushes. */
export async function handleFrame(line: Line, frame: Frame): Promise<void> {
  if (line.refused) return
  if (!takeTokens(line.levels, line.relay.now())) {
    line.refused = true
    end(line)
    line.peer.close(1013, 'TooManyRequests')
    return
  }
  if (frame.kind === 'invalid') return answer(line, frame.id, { error: frame.error })
  // Nobody asked for it.
  if (frame.kind === 'answer') return

  let answered = false
  const reply: Reply = (given) => {
    answered = true
    answer(line, frame.id, given)
  }
  try {
    await handleCall(line, frame, reply)
  } catch (error) {
    line.relay.report(error)
    if (!answered) reply({ error: relayError(failures[frame.call.name]) })
  }
}

type Answer = { readonly result: unknown } | { readonly error: RelayError }
type Reply = (given: Answer) => void

async function handleCall(
  line: Line,
  { call, prefix = 'irn' }: Extract<Frame, { kind: 'request' }>,
  reply: Reply,
): Promise<void> {
  const { clientId } = line.peer
  const { mailbox } = line.relay
  switch (call.name) {
    case 'publish':
      return publish(line, call.publications, reply)
    case 'subscribe': {
      const { joined, given } = await subscribe(line, call.topics, call.form)
      reply(given)
      return open(line, joined, prefix)
    }
    case 'createTopic': {
      const joined = await join(line, [call.topic])
      reply(joined ? { result: true } : crowded)
      return open(line, joined ? [call.topic] : [], prefix)
    }
    case 'subscribeAndPublish':
      if (!(await join(line, [call.topic]))) return reply(crowded)
      await publish(line, call.publications, reply)
      return open(line, [call.topic], prefix)
    case 'unsubscribe':
      for (const topic of call.topics) leave(line, topic)
      await mailbox.unsubscribe(clientId, call.topics)
      return reply({ result: true })
    case 'fetch':
      return fetchMessages(line, call.topics, reply)
    case 'acknowledge':
      await Promise.all(
        call.receipts.map(async ({ topic, messageId }) => {
          await mailbox.acknowledge(clientId, topic, messageId)
          forgetCopy(line, topic, messageId)
        }),
      )
      return reply({ result: true })
  }
}

async function publish(line: Line, publications: readonly Publication[], reply: Reply) {
  const { mailbox, count } = line.relay
  const kept: Message[] = []
  let full = false
  try {
    for (const publication of publications) {
      const outcome = await mailbox.publish(line.peer.clientId, publication)
      if (outcome === 'full') full = true
      else if (outcome !== 'repeated') kept.push(outcome)
      count(typeof outcome === 'string' ? outcome : 'published')
    }
    reply(full ? { error: relayError('MailboxLimitExceeded') } : { result: true })
  } finally {
    for (const message of kept) await mailbox.announce(message)
  }
}

const crowded: Answer = { error: relayError('SubscriberLimitExceeded') }

async function subscribe(
  line: Line,
  topics: readonly string[],
  form: SubscribeForm,
): Promise<{ readonly given: Answer; readonly joined: readonly string[] }> {
  const idOf = (topic: string) => subscriptionId(line.peer.clientId, topic)
  if (form !== 'each') {
    if (!(await join(line, topics))) return { given: crowded, joined: [] }
    const ids = topics.map(idOf)
    return { given: { result: form === 'one' ? ids[0] : ids }, joined: topics }
  }
  const joined: string[] = []
  const result = []
  for (const topic of topics) {
    const isIn = await join(line, [topic])
    if (isIn) joined.push(topic)
    result.push(isIn ? { id: idOf(topic) } : crowded)
  }
  return { given: { result }, joined }
}

async function join(line: Line, topics: readonly string[]): Promise<boolean> {
  if (!hasRoom(line, topics) || topics.some((topic) => isCrowded(line, topic))) return false
  return line.relay.mailbox.subscribe(line.peer.clientId, topics)
}

async function fetchMessages(line: Line, topics: readonly string[], reply: Reply): Promise<void> {
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
  reply({ result: { messages, hasMore } })
  if (!line.open) return
  await Promise.all(fetched.map(({ topic, id }) => mailbox.acknowledge(clientId, topic, id)))
}

// `id` is raw JSON already.
function answer(line: Line, id: string, given: Answer): void {
  const [name, value] = 'error' in given ? ['error', given.error] : ['result', given.result]
  if (line.open) line.peer.send(`{"id":${id},"jsonrpc":"2.0","${name}":${JSON.stringify(value)}}`)
}
