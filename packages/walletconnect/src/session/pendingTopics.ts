import type { Engine } from '../engine.ts'
import { findTopicContext } from './topics.ts'

const maxPendingTopics = 20

/**
 * Waits for a topic. A settlement may arrive before the response with its topic and key; it stays
 * unacknowledged while a proposal is open. Resolves to whether the topic is known now.
 */
export function waitForTopic({ pending, records }: Engine, topic: string): Promise<boolean> {
  if (records.sentProposals.ids().length === 0 || pending.size >= maxPendingTopics)
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
 * Handles a change of topics or proposals, here or in another tab: notifies the callers that wait
 * for a topic, and ends all waits if no proposal is open.
 */
export function resolvePendingTopics(engine: Engine): void {
  const hasNoProposals = engine.records.sentProposals.ids().length === 0
  for (const waiter of [...engine.pending]) {
    const isKnown = findTopicContext(engine, waiter.topic) !== undefined
    if (isKnown || hasNoProposals) waiter.end(isKnown)
  }
}
