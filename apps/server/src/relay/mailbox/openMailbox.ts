import type { Services } from '../../services.ts'
import type { Mailbox } from './mailbox.ts'
import { createMemoryMailbox, type MailboxSize } from './memoryMailbox.ts'

/** Opens the configured mailbox: in Redis if `REDIS_URL` is set, otherwise in this process. Only the latter knows its size. */
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
