import { makeDatabase } from '@latchkey/dev'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openDatabase } from './openDatabase.ts'

test('error: a connection that breaks within a transaction fails that alone, and the process lives', async () => {
  const config = readConfig({ DATABASE_URL: await makeDatabase() })
  const { db, close } = await openDatabase(config, pino({ level: 'silent' }))
  onTestFinished(close)
  const broken = db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(transaction)
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(db)
    await new Promise((resolve) => setImmediate(resolve))
    await sql`select 1`.execute(transaction)
  })
  await expect(broken).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    cause: { message: expect.stringMatching(/terminat|not queryable|closed/i) },
  })
  const { rows } = await sql`select 1 as one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
})
