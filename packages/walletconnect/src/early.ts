import type { Engine } from './engine.ts'

const maxEarly = 20

/**
 * A settlement may come before the answer that tells its topic and key: it waits, unacknowledged, while an offer is open.
 * Resolves with whether the topic is known now.
 */
export function waitForTopic({ early, records }: Engine, topic: string): Promise<boolean> {
  if (records.offers.ids().length === 0 || early.size >= maxEarly) return Promise.resolve(false)
  return new Promise((resolve) => {
    const waiter = {
      topic,
      end(isKnown: boolean) {
        early.delete(waiter)
        resolve(isKnown)
      },
    }
    early.add(waiter)
  })
}

/** A topic is known now. */
export function topicIsKnown({ early }: Engine, topic: string): void {
  for (const waiter of [...early]) if (waiter.topic === topic) waiter.end(true)
}

/** With the last offer ends what waits for one. */
export function offerEnded({ early, records }: Engine): void {
  if (records.offers.ids().length > 0) return
  for (const waiter of [...early]) waiter.end(false)
}
