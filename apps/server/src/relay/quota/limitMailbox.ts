import { bytesOf, type Mailbox } from '../mailbox/mailbox.ts'
import type { Quota } from './quota.ts'
import type { QuotaBook } from './quotaBook.ts'
import { createHeldBytes } from './storedBytes.ts'

type Outcome = Awaited<ReturnType<Mailbox['publish']>>

/**
 * A mailbox that takes no more from a client than its quotas allow. A message counts until another client has had it or
 * until it expires. `mostMs` is for a mailbox that is shared: no message counts for longer, and before that only a client of
 * another address releases it.
 */
export function limitMailbox<Kind extends Mailbox>(
  mailbox: Kind,
  parameters: {
    readonly quotas: QuotaBook
    readonly now: () => number
    readonly mostMs?: number | undefined
  },
): Kind {
  const { quotas, mostMs } = parameters
  const held = createHeldBytes(parameters)
  function hold(outcome: Outcome, bytes: number, mine: readonly Quota[]): Outcome {
    if (typeof outcome !== 'string')
      held.add(keyOf(outcome.topic, outcome.id), bytes, mine, outcome.expiresAtMs)
    return outcome
  }
  return {
    ...mailbox,
    publish(clientId, publication) {
      const mine = quotas.ofClient(clientId)
      const bytes = bytesOf(publication)
      for (const quota of mine) if (quota.bytes + bytes > quota.limits.bytes) return 'full'
      const outcome = mailbox.publish(clientId, publication)
      if (outcome instanceof Promise) return outcome.then((later) => hold(later, bytes, mine))
      return hold(outcome, bytes, mine)
    },
    acknowledge(clientId, topic, id) {
      const [client, address] = quotas.ofClient(clientId)
      // A second client costs nothing. In memory that does no harm: what somebody has had makes room for everybody.
      const by = mostMs === undefined ? client : address
      if (by) held.release(keyOf(topic, id), by)
      return mailbox.acknowledge(clientId, topic, id)
    },
    async sweep() {
      held.sweep()
      await mailbox.sweep()
    },
  }
}

const keyOf = (topic: string, id: string) => `${topic}:${id}`
