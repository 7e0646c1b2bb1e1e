import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDatabase } from '@latchkey/dev'
import { startServer } from '@latchkey/server'
import { isError } from '@latchkey/wire'

type Options = {
  readonly env?: Record<string, string>
  readonly clock?: () => number
  readonly log?: NonNullable<Parameters<typeof startServer>[1]>['log']
}

/** A directory that the database's own user can pass through. */
export async function makeDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-vault-'))
  await chmod(dir, 0o755)
  return dir
}

/** For {@link startVault}: PostgreSQL in the server's own directory, as without configuration. */
export const nativeDatabase = { DATABASE_URL: '' }

/** Starts a complete real server with a separate database. */
export async function startVault({ env = {}, clock, log }: Options = {}) {
  const dir = await makeDir()
  const server = await startServer(
    {
      PORT: '0',
      DATA_DIR: dir,
      WEB_DIST: join(dir, 'web'),
      LOG_LEVEL: 'silent',
      DATABASE_TIMEOUT_SECONDS: '30',
      DATABASE_URL: env.DATABASE_URL ?? (await makeDatabase()),
      RATE_LIMIT_BURST: '1000000',
      RATE_LIMIT_PER_SECOND: '1000000',
      ...env,
    },
    { ...(clock && { clock }), ...(log && { log }) },
  )
  const { db } = server.services
  const url = server.frameUrl
  if (!db || !url) throw new Error('A whole server has a database and a frame')
  return {
    db,
    url,
    appUrl: server.url,
    dir,
    databaseUrl: server.services.config.databaseUrl ?? '',
    clock: server.services.clock,
    tick: server.tick,
    stop: server.stop,
    async remove() {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
export type VaultServer = Awaited<ReturnType<typeof startVault>>

/** The parts of the server that are needed to add a user or a device. */
export type VaultAccess = Pick<VaultServer, 'db' | 'clock'>

/** A user after a login. */
export async function addUser({ db, clock }: VaultAccess): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('users')
    .values({
      id,
      email_index: randomBytes(32),
      email_sealed: randomBytes(32),
      created_at: new Date(clock()),
      undo_until: null,
    })
    .execute()
  return id
}

/** For `rejects.toSatisfy`: whether an error has this code. */
export const failsWith =
  (code: Parameters<typeof isError>[1]) =>
  (error: unknown): boolean =>
    isError(error, code)
