import type { Engine } from '../engine.ts'
import { placeOf } from './topics.ts'

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

/** Topics or offers changed, here or in another tab: who waited for one hears of it, and nobody waits without an offer. */
export function lookAgain(engine: Engine): void {
  const isOver = engine.records.offers.ids().length === 0
  for (const waiter of [...engine.early]) {
    const isKnown = placeOf(engine, waiter.topic) !== undefined
    if (isKnown || isOver) waiter.end(isKnown)
  }
}
