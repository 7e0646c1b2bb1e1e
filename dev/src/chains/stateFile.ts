import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'

const keepEveryMs = 30_000

/**
 * anvil writes its state in place; if it is killed while writing, it leaves half a file, which it
 * then refuses to load. Before a start, restores the last good copy in that case, else makes a
 * copy.
 */
export function repairState(file: string): void {
  if (!existsSync(file) || keepCopy(file)) return
  if (existsSync(getCopyPath(file))) copyFileSync(getCopyPath(file), file)
  else rmSync(file)
}

/**
 * While anvil runs: keeps a good copy of the state next to it, about 30 s old. Returns a function
 * that stops this.
 */
export function keepState(file: string): () => void {
  let keptMs = 0
  const keep = () => {
    if (!existsSync(file)) return
    const { mtimeMs } = statSync(file)
    if (mtimeMs !== keptMs && keepCopy(file)) keptMs = mtimeMs
  }
  const timer = setInterval(keep, keepEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

const getCopyPath = (file: string) => `${file}.copy`

// Checks the copy, because anvil may be writing the original right now.
function keepCopy(file: string) {
  const fresh = `${getCopyPath(file)}.new`
  copyFileSync(file, fresh)
  try {
    JSON.parse(readFileSync(fresh, 'utf8'))
  } catch {
    rmSync(fresh)
    return false
  }
  renameSync(fresh, getCopyPath(file))
  return true
}
