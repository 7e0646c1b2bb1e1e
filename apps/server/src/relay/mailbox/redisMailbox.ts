import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { getErrorMessage } from '../../getErrorMessage.ts'
import type { Publication } from '../protocol/calls.ts'
import { getMessageId, type Mailbox, type Message, overheadBytes } from './mailbox.ts'
import * as scripts from './redisScripts.ts'
import { createRedisSubscriber } from './redisSubscriber.ts'
import { decodeValue, encodeRest } from './redisValue.ts'

/**
 * Limits for one topic and one client. The total is bounded by expiry and by the memory of Redis.
 */
export type RedisMailboxLimits = {
  readonly messagesPerTopic: number
  readonly bytesPerTopic: number
  readonly subscriptionsPerClient: number
  readonly seenPerMessage: number
}

type Parameters = {
  readonly url: string
  readonly log: Logger
  /** Returns milliseconds. Defaults to the clock of Redis. */
  readonly now?: () => number
  readonly limits?: Partial<RedisMailboxLimits>
  /** How long Redis may take for a response. */
  readonly answerMs?: number
}

const defaultLimits: RedisMailboxLimits = {
  messagesPerTopic: 2_000,
  bytesPerTopic: 8 * 1024 * 1024,
  subscriptionsPerClient: 5_000,
  seenPerMessage: 64,
}

const subscriptionTtlMs = 30 * 86_400_000
const prefix = 'latchkey:relay'
const channelPrefix = `${prefix}:topic:`

/**
 * A mailbox in Redis, for any number of relays. It stores and announces a message in one atomic
 * step. After a lost connection it notifies listeners that they may have missed messages. While
 * Redis is unavailable, every call rejects at once.
 */
export async function createRedisMailbox(parameters: Parameters): Promise<Mailbox> {
  const limits = { ...defaultLimits, ...parameters.limits }
  const now = () => parameters.now?.() ?? ''
  const redis = connect(parameters)
  const publishing = prepareScript(redis, scripts.publishScript)
  const reading = prepareScript(redis, scripts.unseenScript)
  const acknowledging = prepareScript(redis, scripts.acknowledgeScript)
  const subscribing = prepareScript(redis, scripts.subscribeScript)
  const listeners = createListeners(parameters.log)
  const subscriber = createRedisSubscriber(redis, listeners)
  await redis.connect().catch(() => {})

  async function publish(clientId: string, publication: Publication) {
    const { ttlSeconds, topic, ...rest } = publication
    const id = getMessageId(rest.message)
    const ttlMs = Math.ceil(ttlSeconds * 1000)
    const keys = [
      ...topicKeys(topic, 'messages', 'expiries', 'notes', 'delivered'),
      getChannel(topic),
    ]
    const bounds = [limits.messagesPerTopic, limits.bytesPerTopic, overheadBytes]
    const name = messageKey({ topic, id })
    listeners.hold(name)
    let reply: unknown
    try {
      reply = await publishing(keys, [now(), id, clientId, ttlMs, encodeRest(rest), ...bounds])
    } catch (error) {
      listeners.release(name)
      throw error
    }
    const publishedAtMs = Number(reply)
    if (publishedAtMs > 0) {
      const times = { publishedAtMs, expiresAtMs: publishedAtMs + ttlMs }
      return { ...rest, topic, id, publisher: clientId, ...times }
    }
    listeners.release(name)
    return publishedAtMs === scripts.fullReply ? 'full' : 'repeated'
  }

  return {
    publish,
    async announce(message) {
      listeners.release(messageKey(message))
    },
    listen: listeners.listen,
    follow: (topics) => subscriber.follow(topics.map(getChannel)),
    unfollow: (topics) => subscriber.unfollow(topics.map(getChannel)),
    async subscribe(clientId, topics) {
      const values = [limits.subscriptionsPerClient, subscriptionTtlMs, ...new Set(topics)]
      return (await subscribing([clientKey(clientId)], values)) === 1
    },
    async unsubscribe(clientId, topics) {
      await redis.srem(clientKey(clientId), ...topics)
    },
    readTopics: (clientId) => redis.smembers(clientKey(clientId)),
    async readUnseen(clientId, topic) {
      const found = await reading(topicKeys(topic, 'messages', 'notes'), [now(), clientId])
      const pairs = toPairs(found).map(([id, value]) => decodeValue(topic, id, value))
      return pairs.sort((a, b) => a.number - b.number)
    },
    async acknowledge(clientId, topic, id) {
      const keys = topicKeys(topic, 'expiries', 'notes', 'delivered')
      await acknowledging(keys, [clientId, id, limits.seenPerMessage])
    },
    async sweep() {
      // Keys expire by themselves. A connection that hangs is dropped, and the next one reports
      // what was missed.
      await redis.ping().catch(() => redis.status === 'ready' && redis.disconnect(true))
    },
    async close() {
      // After all commands that are still running.
      await redis.ping().catch(() => {})
      redis.disconnect()
    },
  }
}

function connect({ url, log, answerMs = 2_000 }: Parameters): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResubscribe: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 3_000,
    commandTimeout: answerMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  })
  redis.on('error', (error: Error) => log.warn({ reason: error.message }, 'redis is unreachable'))
  return redis
}

/**
 * Delivers announcements to listeners. It holds back messages of publishers in this process until
 * the publisher is answered.
 */
function createListeners(log: Logger) {
  type Listener = { onMessage(message: Message): void; onMissed(): void }
  const listeners = new Set<Listener>()
  const queues = new Map<string, Message[]>()
  function tell(message: Message): void {
    const waiting = queues.get(messageKey(message))
    if (waiting) waiting.push(message)
    else for (const { onMessage } of listeners) onMessage(message)
  }
  return {
    listen(onMessage: Listener['onMessage'], onMissed: Listener['onMissed'] = () => {}) {
      const listener = { onMessage, onMissed }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hold(name: string): void {
      if (!queues.has(name)) queues.set(name, [])
    },
    release(name: string): void {
      const waiting = queues.get(name) ?? []
      queues.delete(name)
      for (const message of waiting) tell(message)
    },
    onMessage(channel: string, payload: string): void {
      const [topic, id] = [channel.slice(channelPrefix.length), payload.slice(0, idLength)]
      try {
        tell(decodeValue(topic, id, payload.slice(idLength + 1)))
      } catch (error) {
        // An exception thrown into the Redis client would end the process.
        const reason = getErrorMessage(error)
        log.warn({ reason }, 'a message in Redis could not be read')
      }
    },
    onMissed(): void {
      for (const { onMissed } of listeners) onMissed()
    },
  }
}

/** SHA-256 in hex. */
const idLength = 64

const messageKey = ({ topic, id }: Pick<Message, 'topic' | 'id'>) => `${topic}:${id}`
const getChannel = (topic: string) => channelPrefix + topic
const topicKeys = (topic: string, ...names: readonly string[]) =>
  names.map((name) => `${prefix}:${name}:${topic}`)
const clientKey = (clientId: string) => `${prefix}:client:${clientId}`

function toPairs(found: unknown): [string, string][] {
  if (!Array.isArray(found)) return []
  const texts = found.map(String)
  return texts.flatMap((id, at) => (at % 2 === 0 ? [[id, texts[at + 1] ?? '']] : []))
}

/** A Lua script. Its source is sent only if Redis does not have it yet. */
function prepareScript(redis: Redis, lua: string) {
  const sha = createHash('sha1').update(lua).digest('hex')
  return async (keys: readonly string[], values: readonly (string | number)[]) => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...values)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(lua, keys.length, ...keys, ...values)
    }
  }
}
