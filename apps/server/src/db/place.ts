import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Binaries, copyBinaries } from './binaries.ts'

/** Where a native PostgreSQL lives and, when we are root (which it refuses to be), as whom it runs. */
export type DatabaseLocation = {
  readonly base: string
  readonly runAs: { readonly uid: number; readonly gid: number } | undefined
}

const nobody = { uid: 65534, gid: 65534 }

/** The place for `dataDir`: itself, or /var/lib/latchkey/… when root's database user could not get there. */
export function findLocation(dataDir: string, binaries: Binaries): DatabaseLocation {
  const runAs = process.getuid?.() === 0 ? nobody : undefined
  const reachable =
    runAs === undefined || (isOpen(dataDir) && isOpen(join(binaries.dir, 'bin/postgres')))
  const base = reachable ? dataDir : join('/var/lib/latchkey', shortHash(resolve(dataDir)))
  return { base, runAs }
}

/** Creates the place and hands back the programs to run from it: copies where the originals cannot be reached. */
export async function prepareLocation(
  { base, runAs }: DatabaseLocation,
  binaries: Binaries,
): Promise<Binaries> {
  makeOpen(base, runAs === undefined ? 0o700 : 0o711)
  if (runAs === undefined || isOpen(join(binaries.dir, 'bin/postgres'))) return binaries
  return copyBinaries(binaries, base)
}

/** Whether everybody may pass through (and, of what exists, execute) the path. What does not exist is ours to make. */
function isOpen(path: string): boolean {
  const passable = !existsSync(path) || (statSync(path).mode & 0o001) !== 0
  const parent = dirname(path)
  return passable && (parent === path || isOpen(parent))
}

function makeOpen(path: string, mode: number): void {
  if (existsSync(path)) return
  makeOpen(dirname(path), 0o755)
  mkdirSync(path)
  chmodSync(path, mode)
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
