import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { startNativePostgres } from '../src/db/nativePostgres.ts'
import { openDatabase } from '../src/db/openDatabase.ts'
import { makeTestDir } from './startTestServer.ts'

const log = pino({ level: 'silent' })
const template = 'latchkey_template'
// The data of a test need not survive a power failure, and every test file of the run has its own
// connections.
const settings = ['fsync = off', 'full_page_writes = off', 'max_connections = 600']

/**
 * One PostgreSQL for all test files of a run (a global setup of Vitest): each POST to
 * `TEST_DATABASES` copies a migrated template, or runs the SQL of its body in an empty database,
 * and answers the URL. It starts with the first request.
 */
export default async function shareDatabases(): Promise<() => Promise<void>> {
  let starting: ReturnType<typeof start> | undefined
  const listener = createServer(async (request, response) => {
    try {
      starting ??= start()
      const { copy, make } = await starting
      const sql = await text(request)
      response.end(await (sql === '' ? copy() : make(sql)))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  process.env.TEST_DATABASES = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  return async () => {
    listener.closeAllConnections()
    listener.close()
    await (await starting)?.stop()
  }
}

async function start() {
  const dir = await makeTestDir()
  const first = await startNativePostgres(dir, log)
  await configure(first.url)
  await first.stop()
  const postgres = await startNativePostgres(dir, log)
  const admin = new pg.Client(postgres.url)
  await admin.connect()
  await admin.query(`create database ${template}`)
  const { close } = await openDatabase(readConfig({ DATABASE_URL: urlOf(template) }), log)
  await close()
  let count = 0

  function urlOf(name: string): string {
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    return url.href
  }
  return {
    async copy(): Promise<string> {
      count += 1
      const name = `test${count}`
      await admin.query(`create database ${name} template ${template} strategy file_copy`)
      return urlOf(name)
    },
    async make(sql: string): Promise<string> {
      count += 1
      const name = `test${count}`
      await admin.query(`create database ${name}`)
      const client = new pg.Client(urlOf(name))
      await client.connect()
      await client.query(sql).finally(() => client.end())
      return urlOf(name)
    },
    async stop() {
      await admin.end()
      await postgres.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function configure(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const setting of settings) await client.query(`alter system set ${setting}`)
  await client.end()
}
