import type { Engine } from '../engine.ts'
import { findPlace } from './topics.ts'

const maxPendingTopics = 20

/**
 * A settlement may come before the answer that tells its topic and key: it waits, unacknowledged,
 * while an offer is open. Resolves with whether the topic is known now.
 */
export function waitForTopic({ pending, records }: Engine, topic: string): Promise<boolean> {
  if (records.offers.ids().length === 0 || pending.size >= maxPendingTopics)
    return Promise.resolve(false)
  return new Promise((resolve) => {
    const waiter = {
      topic,
      end(isKnown: boolean) {
        pending.delete(waiter)
        resolve(isKnown)
      },
    }
    pending.add(waiter)
  })
}

/**
 * Topics or offers changed, here or in another tab: callers that wait for one are notified, and no
 * caller waits without an offer.
 */
export function resolvePendingTopics(engine: Engine): void {
  const isOver = engine.records.offers.ids().length === 0
  for (const waiter of [...engine.pending]) {
    const isKnown = findPlace(engine, waiter.topic) !== undefined
    if (isKnown || isOver) waiter.end(isKnown)
  }
}
