import { readFile, stat } from 'node:fs/promises'
import { getErrorMessage } from '../getErrorMessage.ts'
import { type BlockList, parseBlockList } from './parseBlockList.ts'

const maxBytes = 32 * 1_048_576
const freshMs = 60 * 60_000
/** The retry delay after a failure. */
const retryMs = 60_000
/** How long an approval waits at most for the first list. */
const maxWaitMs = 1_000

/** The list from the last read; undefined before the first. */
export type OpenedBlockList = { read(): Promise<BlockList | undefined> }

type Sources = {
  /** Fetches a URL of the operator. */
  fetch(url: string, options: { maxBytes: number }): Promise<string>
  warn(problem: string): void
  now(): number
}

/**
 * The operator's list: a path, read again when the file changes, or a URL, read again each hour. If
 * a list cannot be read again, the previous version stays: only a newer version of the source can
 * remove an entry.
 */
export function openBlockList(source: string, { fetch, warn, now }: Sources): OpenedBlockList {
  const isUrl = /^https?:\/\//.test(source)
  let list: BlockList | undefined
  let version = ''
  let nextAtMs = 0
  let reading: Promise<void> | undefined
  const load = async () => {
    try {
      const text = isUrl ? await fetch(source, { maxBytes }) : await readPath()
      if (text !== undefined) {
        list = parseBlockList(text)
        if (list.ignored > 0) warn(`${list.ignored} entries are neither hosts nor addresses`)
      }
      nextAtMs = isUrl ? now() + freshMs : 0
    } catch (error) {
      warn(`it could not be read: ${getErrorMessage(error)}`)
      nextAtMs = now() + retryMs
    }
  }
  /** Undefined if the file has not changed. */
  const readPath = async () => {
    const { mtimeMs, size } = await stat(source)
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
    const found = `${mtimeMs} ${size}`
    if (found === version) return undefined
    const text = await readFile(source, 'utf8')
    version = found
    return text
  }
  return {
    async read() {
      if (now() >= nextAtMs)
        reading ??= load().finally(() => {
          reading = undefined
        })
      // The old list is used while a URL is read again.
      if (reading && (list === undefined || !isUrl)) await Promise.race([reading, wait(maxWaitMs)])
      return list
    },
  }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
