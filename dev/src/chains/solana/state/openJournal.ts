import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * A file of JSON lines, the first of them a header. Appended lines survive any end of the process.
 */
export type Journal = {
  readonly header: Record<string, unknown>
  readonly lines: readonly unknown[]
  append(line: unknown): void
  /** Creates the file with all lines appended so far; before this call no file exists. */
  begin(): void
}

/**
 * Opens the journal, or creates it. An incomplete last line is dropped. Without a path nothing is
 * stored.
 */
export function openJournal(parameters: {
  path: string | undefined
  header: Record<string, unknown>
}): Journal {
  const { path, header } = parameters
  if (path === undefined) return { header, lines: [], append: () => {}, begin: () => {} }
  const append = (line: unknown) => appendFileSync(path, toLine(line))
  if (existsSync(path)) {
    const [first, ...lines] = readLines(path)
    return { header: first as Record<string, unknown>, lines, append, begin: () => {} }
  }
  const first: unknown[] = [header]
  let hasBegun = false
  return {
    header,
    lines: [],
    append: (line) => {
      if (hasBegun) append(line)
      else first.push(line)
    },
    begin: () => {
      hasBegun = true
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}.new`, first.map(toLine).join(''))
      renameSync(`${path}.new`, path)
    },
  }
}

function readLines(path: string): unknown[] {
  const text = readFileSync(path, 'utf8')
  const complete = text.slice(0, text.lastIndexOf('\n') + 1)
  if (complete !== text) truncateSync(path, Buffer.byteLength(complete))
  return complete.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
}

const toLine = (line: unknown) => `${JSON.stringify(line)}\n`
