import { execFile } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../startError.ts'
import type { Binaries } from './binaries.ts'
import type { DatabaseLocation } from './databaseLocation.ts'

/**
 * Everything that one database needs to run: its location, the programs, the data directory and the
 * password of {@link user}.
 */
export type DatabaseHome = DatabaseLocation & {
  readonly binaries: Binaries
  readonly data: string
  readonly password: string
}

/** The database role that owns everything. */
export const user = 'latchkey'

/**
 * Creates the data directory under a temporary name and renames it, so that an interrupted attempt
 * leaves nothing incomplete.
 */
export async function initializeDatabase(home: DatabaseHome): Promise<void> {
  const partial = `${home.data}.${process.pid}.new`
  const secret = join(home.base, 'initial-password')
  await removeAttempts(home.base)
  await rm(secret, { force: true })
  await writeFile(secret, home.password, { mode: 0o600, flag: 'wx' })
  makeDirectory(partial, home)
  if (home.runAs) chownSync(secret, home.runAs.uid, home.runAs.gid)
  try {
    await promisify(execFile)(
      join(home.binaries.dir, 'bin/initdb'),
      [
        `--pgdata=${partial}`,
        `--username=${user}`,
        `--pwfile=${secret}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--no-locale',
      ],
      spawnOptions(home),
    )
    await rename(partial, home.data)
  } catch (cause) {
    const reason = (cause as { stderr?: string }).stderr?.trim() || String(cause)
    throw new StartError('DATABASE_FAILED', { cause, data: { reason } })
  } finally {
    await rm(secret, { force: true })
  }
}

/**
 * Removes the remains of killed attempts. Each has its own name, because its initdb may still be
 * writing.
 */
async function removeAttempts(base: string): Promise<void> {
  for (const name of await readdir(base))
    if (/^postgres\.\d+\.new$/.test(name))
      await rm(join(base, name), { recursive: true, force: true, maxRetries: 8, retryDelay: 50 })
}

function makeDirectory(path: string, { runAs }: DatabaseLocation): void {
  mkdirSync(path, { mode: 0o700 })
  if (runAs) chownSync(path, runAs.uid, runAs.gid)
}

/** How the programs are started: the system user, the working directory and their own libraries. */
export const spawnOptions = ({ binaries, runAs }: DatabaseHome) => ({
  ...runAs,
  cwd: process.platform === 'win32' ? undefined : '/',
  env: { ...process.env, LC_ALL: 'C', LD_LIBRARY_PATH: join(binaries.dir, 'lib') },
})
