import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Binaries, copyBinaries } from './binaries.ts'

/**
 * The directory of a native PostgreSQL and, if this process is root (which PostgreSQL refuses to
 * be), the user that runs it.
 */
export type DatabaseLocation = {
  readonly base: string
  readonly runAs: { readonly uid: number; readonly gid: number } | undefined
}

const nobody = { uid: 65534, gid: 65534 }

/**
 * The location for `dataDir`: the directory itself, or /var/lib/latchkey/… if root's database user
 * cannot access it.
 */
export function findLocation(dataDir: string, binaries: Binaries): DatabaseLocation {
  const runAs = process.getuid?.() === 0 ? nobody : undefined
  const reachable =
    runAs === undefined || (isOpen(dataDir) && isOpen(join(binaries.dir, 'bin/postgres')))
  const base = reachable ? dataDir : join('/var/lib/latchkey', shortHash(resolve(dataDir)))
  return { base, runAs }
}

/**
 * Creates the location. Returns the programs to run from there, which are copies if the originals
 * are not accessible.
 */
export async function prepareLocation(
  { base, runAs }: DatabaseLocation,
  binaries: Binaries,
): Promise<Binaries> {
  makeOpen(base, runAs === undefined ? 0o700 : 0o711)
  if (runAs === undefined || isOpen(join(binaries.dir, 'bin/postgres'))) return binaries
  return copyBinaries(binaries, base)
}

/**
 * Whether every user may traverse the path. Parts that do not exist yet are created by this
 * process, so they count as accessible.
 */
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
