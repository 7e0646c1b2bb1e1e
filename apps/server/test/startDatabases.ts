import { rm } from 'node:fs/promises'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { startNativePostgres } from '../src/db/nativePostgres.ts'
import { openDatabase } from '../src/db/openDatabase.ts'
import { makeTestDir } from './startTestServer.ts'

/** PostgreSQL for a test file; each `database` is new. */
export async function startDatabases() {
  const dir = await makeTestDir()
  const postgres = await startNativePostgres(dir, pino({ level: 'silent' }))
  let count = 0
  return {
    async database(): Promise<string> {
      const name = `activity${count++}`
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      const url = new URL(postgres.url)
      url.pathname = `/${name}`
      return url.href
    },
    async stop() {
      await postgres.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A database with the tables, open, and what it takes to end it. */
export async function openTestDatabase() {
  const databases = await startDatabases()
  const databaseUrl = await databases.database()
  const opened = await openDatabase(
    readConfig({ DATABASE_URL: databaseUrl }),
    pino({ level: 'silent' }),
  )
  return {
    db: opened.db,
    databaseUrl,
    async close() {
      await opened.close()
      await databases.stop()
    },
  }
}
