import { makeDatabase } from '@latchkey/dev'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../db/database.ts'
import { createPgNotify, type Notice, notify } from './pgNotify.ts'

const address = `0x${'a1'.repeat(20)}` as const

async function open() {
  const databaseUrl = await makeDatabase()
  const pool = new pg.Pool({ connectionString: databaseUrl })
  pool.on('error', () => {})
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const heard: Notice[] = []
  let missed = 0
  const notices = createPgNotify({
    databaseUrl,
    log: pino({ level: 'silent' }),
    onNotice: (notice) => heard.push(notice),
    missed: () => missed++,
  })
  onTestFinished(async () => {
    await notices.close()
    await db.destroy()
  })
  await notices.open()
  /** Ends all connections but its own; resolves to how many there were. */
  const breakOff = async () => {
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid()`.execute(db)
    return rows.length
  }
  return { databaseUrl, db, notices, heard, breakOff, missed: () => missed }
}

test('default: receives each notice of its database in order, and ignores anything else', async () => {
  const { db, heard, missed } = await open()
  await sql`select pg_notify('latchkey_activity', 'nonsense')`.execute(db)
  await notify(db, { type: 'changed', chainId: 'eip155:1' }, [address])
  await notify(db, { type: 'asked', chainId: 'eip155:10' }, [address, address])
  const expected = [
    { type: 'changed', chainId: 'eip155:1', address },
    { type: 'asked', chainId: 'eip155:10', address },
  ]
  await expect.poll(() => heard).toEqual(expected)
  expect(missed()).toBe(0)
})

test('error: the connection breaks: it is opened again, and possible gaps are reported once', async () => {
  const { db, heard, breakOff, missed } = await open()
  expect(await breakOff()).toBe(1)
  await expect.poll(missed).toBe(1)
  await notify(db, { type: 'sync', chainId: 'eip155:1' }, [address])
  await expect.poll(() => heard).toEqual([{ type: 'sync', chainId: 'eip155:1', address }])
  expect(missed()).toBe(1)
})

test('error: while the database cannot be reached, listeners wait; they read again once it is back', async () => {
  const { databaseUrl, missed } = await open()
  const name = new URL(databaseUrl).pathname.slice(1)
  const admin = new pg.Client({
    connectionString: databaseUrl.replace(`/${name}`, '/postgres'),
  })
  await admin.connect()
  onTestFinished(() => admin.end())
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ])
  // Two tries that fail.
  await admin.query('select pg_sleep(2)')
  expect(missed()).toBe(0)
  await admin.query(`alter database ${name} allow_connections true`)
  await expect.poll(missed).toBe(1)
})
