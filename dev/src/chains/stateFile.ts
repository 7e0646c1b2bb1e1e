import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'

const keepEveryMs = 10_000

/**
 * anvil writes its state in place; killed in the middle it leaves half a file, which it then refuses to load.
 * Puts the last good copy of {@link keepState} back in that case.
 */
export function repairState(file: string): void {
  if (!existsSync(file) || isJson(file)) return
  if (existsSync(copyOf(file))) copyFileSync(copyOf(file), file)
  else rmSync(file)
}

/** Keeps a good copy of the state beside it, at most 10 s old. Returns how to end that. */
export function keepState(file: string): () => void {
  let keptMs = 0
  const keep = () => {
    if (!existsSync(file)) return
    const { mtimeMs } = statSync(file)
    if (mtimeMs === keptMs || !endsLikeJson(file)) return
    copyFileSync(file, `${copyOf(file)}.new`)
    renameSync(`${copyOf(file)}.new`, copyOf(file))
    keptMs = mtimeMs
  }
  keep()
  const timer = setInterval(keep, keepEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

const copyOf = (file: string) => `${file}.copy`

function isJson(file: string) {
  try {
    JSON.parse(readFileSync(file, 'utf8'))
    return true
  } catch {
    return false
  }
}

function endsLikeJson(file: string) {
  const handle = openSync(file, 'r')
  try {
    const { size } = fstatSync(handle)
    const last = Buffer.alloc(1)
    return size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last.toString() === '}'
  } finally {
    closeSync(handle)
  }
}
