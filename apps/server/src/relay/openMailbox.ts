import type { Services } from '../services.ts'
import type { Mailbox } from './mailbox.ts'
import { createMemoryMailbox, type MailboxSize } from './memoryMailbox.ts'
import { createRedisMailbox } from './redisMailbox.ts'

/** The mailbox the configuration asks for: in Redis with a `REDIS_URL`, else in this process, which alone knows its size. */
export async function openMailbox({
  config,
  clock,
  log,
}: Pick<Services, 'config' | 'clock' | 'log'>): Promise<Mailbox & { size?(): MailboxSize }> {
  const { redisUrl: url, relay } = config
  const limits = relay.mailbox
  return url === undefined
    ? createMemoryMailbox({ now: clock, limits })
    : createRedisMailbox({ url, log, limits })
}
