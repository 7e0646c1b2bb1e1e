import { createHeldBytes } from './heldBytes.ts'
import type { Mailbox } from './mailbox.ts'
import type { Quota } from './quota.ts'
import type { QuotaBook } from './quotaBook.ts'

type Outcome = Awaited<ReturnType<Mailbox['publish']>>

/**
 * A mailbox that takes no more from a client than its quotas allow. A message counts until somebody has had it, until it
 * expires, and no longer than `mostMs`.
 */
export function limitMailbox<Kind extends Mailbox>(
  mailbox: Kind,
  parameters: {
    readonly quotas: QuotaBook
    readonly now: () => number
    readonly mostMs?: number | undefined
  },
): Kind {
  const { quotas } = parameters
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
      const bytes = Buffer.byteLength(publication.message) + (publication.attestation?.length ?? 0)
      for (const quota of mine) if (quota.bytes + bytes > quota.limits.bytes) return 'full'
      const outcome = mailbox.publish(clientId, publication)
      if (outcome instanceof Promise) return outcome.then((later) => hold(later, bytes, mine))
      return hold(outcome, bytes, mine)
    },
    acknowledge(clientId, topic, id) {
      held.release(keyOf(topic, id))
      return mailbox.acknowledge(clientId, topic, id)
    },
    async sweep() {
      held.sweep()
      await mailbox.sweep()
    },
  }
}

const keyOf = (topic: string, id: string) => `${topic}:${id}`
