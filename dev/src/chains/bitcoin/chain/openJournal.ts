import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

const recordSchema = z.union([
  /** A transaction that was accepted, as hex. */
  z.object({ transaction: z.string() }),
  /** A block, which follows from its time and its transactions without the coinbase. */
  z.object({ block: z.object({ hash: z.string(), time: z.number(), txids: z.array(z.string()) }) }),
])

export type Record = z.infer<typeof recordSchema>

/**
 * The events of a chain, one line each, appended before anyone is notified, so kill -9 loses
 * nothing. An incomplete last line is removed. Without a path nothing is stored. Throws if the file
 * has another version.
 */
export function openJournal(path: string | undefined): {
  records: readonly Record[]
  append(record: Record): void
} {
  if (path === undefined) return { records: [], append: () => {} }
  mkdirSync(dirname(path), { recursive: true })
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const end = text.lastIndexOf('\n') + 1
  if (end < text.length) truncateSync(path, Buffer.byteLength(text.slice(0, end)))
  const lines = text.slice(0, end).split('\n').slice(0, -1)
  return {
    records: lines.map((line) => recordSchema.parse(JSON.parse(line))),
    append: (record) => appendFileSync(path, `${JSON.stringify(record)}\n`),
  }
}
