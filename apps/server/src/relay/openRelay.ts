import type { Services, SocketRoute } from '../services.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import { createMemoryMailbox, type MailboxSize } from './mailbox/memoryMailbox.ts'
import { limitMailbox } from './quota/limitMailbox.ts'
import { createQuotaBook } from './quota/quotaBook.ts'
import { createRelay } from './relay.ts'
import { relayAudiences } from './relayAudiences.ts'
import { createRelayMetrics } from './relayMetrics.ts'
import { relayUpgrade } from './relayUpgrade.ts'

/** The open relay of a server. */
export type OpenRelay = {
  readonly route: SocketRoute
  /**
   * Call once a second: drops expired messages, restores subscriptions after reconnects, closes
   * idle sockets.
   */
  tick(): Promise<void>
  /** Finishes frames in progress, then disconnects every client with 1001. */
  stop(): Promise<void>
}

const drainMs = 5_000
const sharedMaxMs = 300_000

const gauges = {
  sockets: 'Sockets of clients',
  topics: 'Topics with a subscriber on this process',
  subscriptions: 'Subscriptions, counted for each socket',
  mailbox_topics: 'Topics with messages',
  mailbox_messages: 'Messages that have not expired',
  mailbox_bytes: 'Bytes of messages that have not expired',
}

/**
 * Opens the relay. `pushDelayMs` is for tests with clients that cannot handle an instant response.
 */
export async function openRelay(
  services: Pick<Services, 'config' | 'clock' | 'log' | 'metrics' | 'responseMemory' | 'kv'>,
  { pushDelayMs }: { readonly pushDelayMs?: number | undefined } = {},
): Promise<OpenRelay> {
  const { config, clock, log } = services
  const quotas = createQuotaBook({ now: clock, limits: config.relay })
  const opened = await openMailbox(services)
  // If the mailbox is shared, clients of other processes may receive messages published here, and
  // this process does not learn of it.
  const maxMs = config.redisUrl === undefined ? undefined : sharedMaxMs
  const mailbox = limitMailbox(opened, { quotas, now: clock, maxMs })
  const metrics = createRelayMetrics(services.metrics.registry, gauges, () => {
    const size = mailbox.size?.()
    const waiting = size && {
      mailbox_topics: size.topics,
      mailbox_messages: size.messages,
      mailbox_bytes: size.bytes,
    }
    return { sockets: sockets.count(), ...relay.size(), ...waiting }
  })
  const relay = createRelay({
    mailbox,
    now: clock,
    rate: config.relay.rate,
    frameMaxLength: config.relay.frameMaxBytes,
    report: (error) => log.error(describe(error), 'relay failed internally'),
    count: metrics.count,
    ...(pushDelayMs !== undefined && { schedule: (run) => void setTimeout(run, pushDelayMs) }),
  })
  const sockets = relayUpgrade({
    config,
    clock,
    responseMemory: services.responseMemory,
    kv: services.kv,
    relay,
    metrics,
    quotas,
    audiences: relayAudiences(config),
  })
  return {
    route: sockets.route,
    async tick() {
      sockets.sweep()
      await relay.tick()
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise((resolve) => {
        timer = setTimeout(resolve, drainMs)
      })
      await Promise.race([sockets.drain(), timeout])
      clearTimeout(timer)
      relay.stop()
      await mailbox.close()
    },
  }
}

// The message of an error may contain client data. Its stack locations do not.
function describe(error: unknown) {
  if (!(error instanceof Error)) return { reason: 'unknown' }
  const at = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { reason: error.name, at: at?.slice(0, 8) }
}

/**
 * Opens the configured mailbox: in Redis if `REDIS_URL` is set, otherwise in this process. Only the
 * latter knows its size.
 */
async function openMailbox({
  config,
  clock,
  log,
}: Pick<Services, 'config' | 'clock' | 'log'>): Promise<Mailbox & { size?(): MailboxSize }> {
  const { redisUrl: url, relay } = config
  const limits = relay.mailbox
  if (url === undefined) return createMemoryMailbox({ now: clock, limits })
  const { createRedisMailbox } = await import('./mailbox/redisMailbox.ts')
  return createRedisMailbox({ url, log, limits })
}
