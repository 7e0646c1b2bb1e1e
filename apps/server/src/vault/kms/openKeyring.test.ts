import { randomUUID } from 'node:crypto'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import { runCli } from '../../../test/spawnServer.ts'
import { makeTestDir } from '../../../test/startTestServer.ts'
import { ensureUserKey } from '../keys/userKey.ts'
import { runVaultCommand } from '../runCommand.ts'
import { rotateFileKeyring } from './fileKeyring.ts'
import { openKeyring, readVersions as readAll, rotateKeyring } from './openKeyring.ts'

async function start() {
  const { db, databaseUrl, close } = await openTestDatabase()
  onTestFinished(close)
  const dataDir = await makeTestDir()
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const dir = join(dataDir, 'keyring')
  const kms = await openKeyring({ db, dir, create: true })
  /** A new user with a separate key, wrapped with the current version. */
  async function addUser() {
    const id = randomUUID()
    const user = { id, email_index: null, email_sealed: null, undo_until: null }
    await db
      .insertInto('users')
      .values({ ...user, created_at: new Date(0) })
      .execute()
    await ensureUserKey({ db, kms, clock: () => 0 }, id)
  }
  const readVersions = async () => (await readAll({ db, dir })).map(({ version }) => version)
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  return { db, dir, env, addUser, readVersions }
}

const context = { purpose: 'auth-share', userId: 'u', realm: 'r' } as const

test('behavior: of rotations at once each adds its version, and what is wrapped between them opens', async () => {
  const { db, dir, readVersions } = await start()
  const kms = await openKeyring({ db, dir, create: false })
  const made = await Promise.all(
    Array.from({ length: 6 }, async () => {
      await rotateKeyring({ db, dir })
      return kms.generateDataKey(context)
    }),
  )
  expect(await readVersions()).toEqual([7, 7])
  const fresh = await openKeyring({ db, dir, create: false })
  for (const { wrapped, plaintext } of made)
    expect(await fresh.unwrap(wrapped, context)).toEqual(plaintext)
})

test('behavior: the versions are not read while another process is between the two keys', async () => {
  const { db, dir, readVersions } = await start()
  const [recovery, before, after] = ['recovery', 'before', 'after'].map((name) =>
    join(dir, `${name}.json`),
  ) as [string, string, string]
  await copyFile(recovery, before)
  const rotation = await db.startTransaction().execute()
  await sql`select pg_advisory_xact_lock(4815162343)`.execute(rotation)
  await rotateFileKeyring(dir)
  await rename(recovery, after)
  await rename(before, recovery)
  const reading = readVersions()
  const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1)
  await rename(after, recovery)
  await rotation.commit().execute()
  expect(await reading).toEqual([2, 2])
})

test('behavior: two commands at once leave every key open, and two more versions', async () => {
  const { env, addUser, readVersions } = await start()
  for (let count = 0; count < 5; count++) await addUser()
  const both = await Promise.all([runCli(['kms', 'rotate'], env), runCli(['kms', 'rotate'], env)])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(await readVersions()).toEqual([3, 3])
  expect(await runCli(['kms', 'rotate', '--verify'], env)).toEqual({
    code: 0,
    out: 'auth-share has version 3\nrecovery has version 3\n5 keys open, 0 of them were rewrapped\n',
  })
})

test('behavior: what was begun before a rotation, and is stored after the list was read, is rewrapped too', async () => {
  const { db, dir, addUser } = await start()
  await addUser()
  // As if another server already had its key, and stored it while the command runs.
  const late = await db.deleteFrom('vault_users').returningAll().executeTakeFirstOrThrow()
  await addUser()
  let rounds = 0
  const storeLate = async () => {
    rounds += 1
    if (rounds === 1) await db.insertInto('vault_users').values(late).execute()
    return []
  }
  const done = await runVaultCommand(db, { dir, command: 'kms rotate', lists: [storeLate] })
  expect(done.code).toBe(0)
  expect(done.text).toContain('2 keys open, 2 of them were rewrapped')
  const ids = await db.selectFrom('vault_users').select('key_id').distinct().execute()
  expect(ids).toEqual([{ key_id: 'auth-share/2' }])
})

test('error: a rotation that was killed between its two keys is named, and finished by the next', async () => {
  const { dir, env, addUser, readVersions } = await start()
  await addUser()
  const recovery = join(dir, 'recovery.json')
  const before = join(dir, 'before.json')
  await copyFile(recovery, before)
  await rotateFileKeyring(dir)
  await rename(before, recovery)
  expect(await runCli(['kms', 'rotate', '--verify'], env)).toEqual({
    code: 1,
    out: 'auth-share has version 2\nrecovery has version 1\nA rotation was interrupted between the two: run `latchkey kms rotate` again\n1 keys open, 1 of them were rewrapped\n',
  })
  expect((await runCli(['kms', 'rotate'], env)).code).toBe(0)
  expect(await readVersions()).toEqual([3, 3])
})
