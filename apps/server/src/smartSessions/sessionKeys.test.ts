import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { bytesToHex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { ended, runCli, spawnCli } from '../../test/spawnServer.ts'
import { makeTestDir } from '../../test/startTestServer.ts'
import { ensureUserKey } from '../vault/keys/userKey.ts'
import { openKeyring } from '../vault/kms/openKeyring.ts'
import { ensureRoot } from './sessionRoots.ts'
import { openKey, sealKey } from './sessionStore.ts'

const day = 20_000
const clock = () => day * 86_400_000
const versions = 'auth-share has version 2\nrecovery has version 2\n'

/**
 * A database with three sessions, the secret of a day and a user, and its keyring of one version.
 */
async function start() {
  const { db, databaseUrl, close } = await openTestDatabase()
  onTestFinished(close)
  const dataDir = await makeTestDir()
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const dir = join(dataDir, 'keyring')
  const kms = await openKeyring({ db, dir, create: true })
  const secrets: Uint8Array[] = []
  for (let count = 0; count < 3; count++) {
    const pci = randomUUID()
    const secret = randomBytes(32)
    secrets.push(secret)
    await db
      .insertInto('permission_sessions')
      .values({
        pci,
        project_id: 'local',
        origin: null,
        chain_id: 'eip155:1',
        account: `0x${'a'.repeat(40)}`,
        expiry: 1,
        signer: '{}',
        permissions: '[]',
        delegate: `0x${'d'.repeat(40)}`,
        created_at: new Date(clock() + count),
        activated_at: null,
        revoked_at: null,
        ...(await sealKey({ kms }, { pci, secret: bytesToHex(secret) })),
      })
      .execute()
  }
  const deps = { db, kms, clock, log: pino({ level: 'silent' }) }
  const user = { id: randomUUID(), email_index: null, email_sealed: null, undo_until: null }
  await db
    .insertInto('users')
    .values({ ...user, created_at: new Date(clock()) })
    .execute()
  await ensureUserKey(deps, user.id)
  const root = await ensureRoot(deps)
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  const readSessions = () =>
    db.selectFrom('permission_sessions').selectAll().orderBy('created_at').execute()
  return {
    db,
    env,
    readSessions,
    /** Reads with a new keyring, like a process that starts now. */
    async readAll() {
      const fresh = { ...deps, kms: await openKeyring({ db, dir, create: false }) }
      const rows = await readSessions()
      const opened = await Promise.all(rows.map((row) => openKey(fresh, { row })))
      return { signers: opened.map(({ address }) => address), root: await ensureRoot(fresh) }
    },
    root,
    /** The versions of the keys of the sessions, and of the day's secret. */
    async readVersions() {
      const roots = await db.selectFrom('permission_roots').select('wrapped').execute()
      const wrapped = [
        ...(await readSessions()).map((row) => row.key_wrapped),
        ...roots.map((row) => row.wrapped),
      ]
      return wrapped.map((bytes) => Buffer.from(bytes).readUInt32BE(0))
    },
  }
}

test('behavior: a rotation rewraps session keys; if it is killed halfway, a new run continues', async () => {
  const { db, env, readAll, readSessions, readVersions, root } = await start()
  const before = await readAll()
  expect(before.root).toEqual(root)
  expect(await readVersions()).toEqual([1, 1, 1, 1])
  const [, second] = await readSessions()
  // Another transaction locks the second session, so the command waits there.
  const lock = await db.startTransaction().execute()
  await lock
    .selectFrom('permission_sessions')
    .select('pci')
    .where('pci', '=', second?.pci ?? '')
    .forUpdate()
    .execute()
  const child = spawnCli(['kms', 'rotate'], env)
  const waiting = sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1)
  child.kill('SIGKILL')
  expect(await ended(child)).toBe('SIGKILL')
  const { rows } = await waiting.execute(db)
  for (const { pid } of rows) await sql`select pg_terminate_backend(${pid})`.execute(db)
  await lock.rollback().execute()
  expect(await readVersions()).toEqual([2, 1, 1, 1])
  expect(await readAll()).toEqual(before)

  expect(await runCli(['kms', 'rotate', '--verify'], env)).toEqual({
    code: 0,
    out: `${versions}5 keys open, 3 of them were rewrapped\n`,
  })
  expect(await readVersions()).toEqual([2, 2, 2, 2])
  expect(await readAll()).toEqual(before)
})

test('error: a key that does not open is named, and stops no other', async () => {
  const { db, env, readAll, readSessions, readVersions } = await start()
  const before = await readAll()
  const wrapped = Buffer.alloc(64, 7)
  await db
    .insertInto('permission_roots')
    .values({ day: day - 1, wrapped })
    .execute()
  const [first] = await readSessions()
  const pci = randomUUID()
  await db
    .insertInto('permission_sessions')
    .values({ ...first, pci, created_at: new Date(0) } as never)
    .execute()
  expect(await runCli(['kms', 'rotate'], env)).toEqual({
    code: 1,
    out: `${versions}5 keys open, 5 of them were rewrapped\nThese keys do not open:\n  session ${pci}\n  session root ${day - 1}\n`,
  })
  await db.deleteFrom('permission_sessions').where('pci', '=', pci).execute()
  await db.deleteFrom('permission_roots').where('wrapped', '=', wrapped).execute()
  expect(await readVersions()).toEqual([2, 2, 2, 2])
  expect(await readAll()).toEqual(before)
})
