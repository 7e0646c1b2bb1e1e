import type { Engine } from '../engine.ts'
import { placeOf } from './topics.ts'

// Two for each request: its message and its id.
const maxSeen = 1000
const shown = 32

const short = (mark: string) => mark.slice(0, shown)

/** Whether a message (by its hash) or a request (by its id) was handled on a topic before, in whichever tab. */
export const isSeen = ({ records }: Engine, topic: string, mark: string): boolean =>
  (records.seen.get(topic) ?? []).includes(short(mark))

/** Remembers what was handled or sent on a topic, as long as the topic is ours. */
export function markSeen(engine: Engine, topic: string, marks: readonly string[]): void {
  const { records } = engine
  if (placeOf(engine, topic) === undefined) return
  const seen = new Set(records.seen.get(topic))
  for (const mark of marks) seen.add(short(mark))
  records.seen.set(topic, [...seen].slice(-maxSeen))
}
