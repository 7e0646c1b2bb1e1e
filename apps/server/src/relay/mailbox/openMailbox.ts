import type { Services } from '../../services.ts'
import type { Mailbox } from './mailbox.ts'
import { createMemoryMailbox, type MailboxSize } from './memoryMailbox.ts'

/** The mailbox the configuration asks for: in Redis with a `REDIS_URL`, else in this process, which alone knows its size. */
export async function openMailbox({
  config,
  clock,
  log,
}: Pick<Services, 'config' | 'clock' | 'log'>): Promise<Mailbox & { size?(): MailboxSize }> {
  const { redisUrl: url, relay } = config
  const limits = relay.mailbox
  if (url === undefined) return createMemoryMailbox({ now: clock, limits })
  const { createRedisMailbox } = await import('./redisMailbox.ts')
  return createRedisMailbox({ url, log, limits })
}
