import { getMessageBytes, type Mailbox } from '../mailbox/mailbox.ts'
import type { Quota } from './quota.ts'
import type { QuotaBook } from './quotaBook.ts'
import { createStoredBytes } from './storedBytes.ts'

type PublishResult = Awaited<ReturnType<Mailbox['publish']>>

/**
 * A mailbox that enforces the quotas of each client. A message counts until another client has
 * received it or until it expires. `maxMs` is for a shared mailbox: no message counts for longer,
 * and before that only a client with another address releases it.
 */
export function limitMailbox<Kind extends Mailbox>(
  mailbox: Kind,
  parameters: {
    readonly quotas: QuotaBook
    readonly now: () => number
    readonly maxMs?: number | undefined
  },
): Kind {
  const { quotas, maxMs } = parameters
  const storedBytes = createStoredBytes(parameters)
  function hold(
    outcome: PublishResult,
    bytes: number,
    clientQuotas: readonly Quota[],
  ): PublishResult {
    if (typeof outcome !== 'string')
      storedBytes.add(
        messageKey(outcome.topic, outcome.id),
        bytes,
        clientQuotas,
        outcome.expiresAtMs,
      )
    return outcome
  }
  return {
    ...mailbox,
    publish(clientId, publication) {
      const clientQuotas = quotas.getClientQuotas(clientId)
      const bytes = getMessageBytes(publication)
      for (const quota of clientQuotas) if (quota.bytes + bytes > quota.limits.bytes) return 'full'
      const outcome = mailbox.publish(clientId, publication)
      if (outcome instanceof Promise)
        return outcome.then((later) => hold(later, bytes, clientQuotas))
      return hold(outcome, bytes, clientQuotas)
    },
    acknowledge(clientId, topic, id) {
      const [client, address] = quotas.getClientQuotas(clientId)
      // Anyone can create a second client that receives the message. In memory that does no harm:
      // delivered messages make room for others. A shared mailbox compares addresses instead.
      const by = maxMs === undefined ? client : address
      if (by) storedBytes.release(messageKey(topic, id), by)
      return mailbox.acknowledge(clientId, topic, id)
    },
    async sweep() {
      storedBytes.sweep()
      await mailbox.sweep()
    },
  }
}

const messageKey = (topic: string, id: string) => `${topic}:${id}`
