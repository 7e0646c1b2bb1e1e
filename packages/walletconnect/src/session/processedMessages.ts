import type { Engine } from '../engine.ts'
import { findTopicContext } from './topics.ts'

// Each request has two entries: its message and its id.
const maxProcessed = 1000
const markLength = 32

const short = (mark: string) => mark.slice(0, markLength)

/**
 * Whether a message (by its hash) or a request (by its id) was handled on a topic before, in any
 * tab.
 */
export const isProcessed = ({ records }: Engine, topic: string, mark: string): boolean =>
  (records.seen.get(topic) ?? []).includes(short(mark))

/** Remembers what was handled or sent on a topic, as long as the topic exists here. */
export function markProcessed(engine: Engine, topic: string, marks: readonly string[]): void {
  const { records } = engine
  if (findTopicContext(engine, topic) === undefined) return
  const known = new Set(records.seen.get(topic))
  for (const mark of marks) known.add(short(mark))
  records.seen.set(topic, [...known].slice(-maxProcessed))
}
