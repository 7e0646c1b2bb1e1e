import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@latchkey/dev'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { ended, runCli, spawnServer } from '../../test/spawnServer.ts'
import { makeTestDir } from '../../test/startTestServer.ts'
import { readConfig } from '../config.ts'
import { migrations } from '../migrations/migrations.ts'
import { findBinaries } from './binaries.ts'
import { findLocation } from './databaseLocation.ts'
import { startNativePostgres } from './nativePostgres.ts'
import { openDatabase } from './openDatabase.ts'
import { isAlive } from './process.ts'

const log = pino({ level: 'silent' })
let dir: string
beforeEach(async () => {
  dir = await makeTestDir()
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** Removes the directory, and ends the database that a killed server left in it. */
async function removeDatabase() {
  if (existsSync(join(dir, 'postgres'))) await (await startNativePostgres(dir, log)).stop()
  await rm(dir, { recursive: true, force: true })
}

const postmasterPid = () =>
  Number(readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
const projects = async () => (await runCli(['project', 'list'], { DATA_DIR: dir })).out
const add = (id: string) => runCli(['project', 'add', '--name', id, '--id', id], { DATA_DIR: dir })

async function query(url: string, text: string) {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('default: rows stay over a graceful stop; nothing keeps running', async () => {
  const first = await startNativePostgres(dir, log)
  await query(first.url, 'create table t as select 7 as n')
  const pid = postmasterPid()
  await first.stop()
  expect(isAlive(pid)).toBe(false)
  const second = await startNativePostgres(dir, log)
  expect(await query(second.url, 'select n from t')).toEqual([{ n: 7 }])
  await second.stop()
})

test('behavior: it never runs as root, and only its owner reads the password', async () => {
  const postgres = await startNativePostgres(dir, log)
  const status = await readFile(`/proc/${postmasterPid()}/status`, 'utf8')
  expect(/Uid:\s+(\d+)/.exec(status)?.[1]).not.toBe('0')
  expect((await stat(join(dir, 'postgres-password'))).mode & 0o777).toBe(0o600)
  await expect(query(postgres.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
    /password/,
  )
  await postgres.stop()
})

test('behavior: a server killed with -9 leaves a postgres, which the next start takes over; rows stay', async () => {
  const server = await spawnServer({ DATA_DIR: dir })
  expect((await add('kept')).code).toBe(0)
  const orphan = postmasterPid()
  server.child.kill('SIGKILL')
  await ended(server.child)
  expect(isAlive(orphan)).toBe(true)
  const again = await spawnServer({ DATA_DIR: dir })
  expect(isAlive(orphan)).toBe(false)
  expect(await projects()).toContain('kept')
  again.child.kill('SIGTERM')
  expect(await ended(again.child)).toBe(0)
})

test('behavior: server and postgres both killed with -9, then started at once; rows stay', async () => {
  const server = await spawnServer({ DATA_DIR: dir })
  await add('kept')
  const pid = postmasterPid()
  server.child.kill('SIGKILL')
  await ended(server.child)
  process.kill(pid, 'SIGKILL')
  const again = await spawnServer({ DATA_DIR: dir })
  expect(await projects()).toContain('kept')
  again.child.kill('SIGTERM')
  expect(await ended(again.child)).toBe(0)
})

test('behavior: a postgres killed under a living server comes back on the same port', async () => {
  const postgres = await startNativePostgres(dir, log)
  await query(postgres.url, 'create table t as select 7 as n')
  const pid = postmasterPid()
  process.kill(pid, 'SIGKILL')
  await expect
    .poll(() => query(postgres.url, 'select n from t').catch(() => []))
    .toEqual([{ n: 7 }])
  await postgres.stop()
  expect(isAlive(pid)).toBe(false)
})

/** Takes away a file that PostgreSQL needs to start, like on a full disk, until `restore`. */
async function takeAway() {
  const path = join(dir, 'postgres/postgresql.conf')
  await rename(path, `${path}.away`)
  return { restore: () => rename(`${path}.away`, path) }
}

const one = (url: string) => query(url, 'select 1 as n').catch(() => [])

test('behavior: a postgres that cannot be started for a while is tried again until it can, and says so', async () => {
  const postgres = await startNativePostgres(dir, log)
  expect(postgres.trouble()).toBeUndefined()
  const { restore } = await takeAway()
  process.kill(postmasterPid(), 'SIGKILL')
  // More than once.
  await expect.poll(postgres.trouble).toMatch(/try [3-9]/)
  expect(await one(postgres.url)).toEqual([])
  await restore()
  await expect.poll(() => one(postgres.url)).toEqual([{ n: 1 }])
  await expect.poll(postgres.trouble).toBeUndefined()
  await postgres.stop()
})

test('behavior: a port that another program takes first is left to it', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const ports = [await freePort(), port]
  const findPort = async () => ports.pop() ?? 0
  const postgres = await startNativePostgres(dir, log, { findPort })
  expect(new URL(postgres.url).port).not.toBe(String(port))
  expect(ports).toEqual([])
  expect(await query(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await postgres.stop()
})

test('behavior: a postgres killed again and again, while starting too, comes back each time', async () => {
  const postgres = await startNativePostgres(dir, log)
  await query(postgres.url, 'create table t as select 7 as n')
  let killed = 0
  let pid = 0
  for (const endsAt = performance.now() + 200_000; killed < 5 && performance.now() < endsAt; ) {
    try {
      const found = postmasterPid()
      if (found > 0 && found !== pid) {
        process.kill(found, 'SIGKILL')
        pid = found
        killed += 1
      }
    } catch {
      // Between two starts there is no file yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(killed).toBe(5)
  await expect
    .poll(() => query(postgres.url, 'select n from t').catch(() => []))
    .toEqual([{ n: 7 }])
  await postgres.stop()
})

test('behavior: a stop during the pauses between tries does not wait for them', async () => {
  const postgres = await startNativePostgres(dir, log)
  await takeAway()
  process.kill(postmasterPid(), 'SIGKILL')
  await expect.poll(postgres.trouble).toMatch(/try [2-9]/)
  const startedAtMs = performance.now()
  await postgres.stop()
  expect(performance.now() - startedAtMs).toBeLessThan(10_000)
  expect(existsSync(join(dir, 'owner.json'))).toBe(false)
})

test('error: DATABASE_GIVE_UP_SECONDS: the process says what is wrong in /ready, then ends with the reason', async () => {
  const server = await spawnServer({ DATA_DIR: dir, DATABASE_GIVE_UP_SECONDS: '12' })
  let said = ''
  server.child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  // Including the last of its output, which may be read after its exit.
  const closed = once(server.child, 'close')
  await takeAway()
  process.kill(postmasterPid(), 'SIGKILL')
  const ready = async () => (await fetch(`${server.url}/ready`)).text().catch(() => '')
  await expect
    .poll(ready)
    .toMatch(/"db","description":"PostgreSQL has not run for \d+ s. It is being started again/)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(await ended(server.child)).toBe(1)
  await closed
  expect(said).toMatch(
    /^The database did not start: PostgreSQL has not run for \d+ s.*\n.*postgresql\.conf/,
  )
  expect(existsSync(join(dir, 'owner.json'))).toBe(false)
})

test('error: a second server on the same directory learns which process has it, and disturbs nothing', async () => {
  const server = await spawnServer({ DATA_DIR: dir })
  await expect(spawnServer({ DATA_DIR: dir })).rejects.toThrow(
    `Another Latchkey server (process ${server.child.pid}) uses the database in ${dir}. Stop it, or set DATA_DIR or DATABASE_URL`,
  )
  expect((await fetch(`${server.url}/ready`)).status).toBe(200)
  server.child.kill('SIGINT')
  expect(await ended(server.child)).toBe(0)
})

test('error: a DATABASE_URL without an answer', async () => {
  const config = readConfig({ DATABASE_URL: 'postgres://a:secret@127.0.0.1:9/x' })
  const opened = openDatabase(config, log)
  await expect(opened).rejects.toThrow(
    'The database did not start: connect ECONNREFUSED 127.0.0.1:9',
  )
})

test('behavior: two processes on one DATABASE_URL migrate at once; int8 arrives as bigint', async () => {
  const postgres = await startNativePostgres(dir, log)
  const servers = await Promise.all([
    spawnServer({ DATABASE_URL: postgres.url }),
    spawnServer({ DATABASE_URL: postgres.url }),
    spawnServer({ DATABASE_URL: postgres.url }),
  ])
  for (const { url } of servers) expect((await fetch(`${url}/ready`)).status).toBe(200)
  expect(await query(postgres.url, 'select name from kysely_migration')).toEqual(
    Object.keys(migrations).map((name) => ({ name })),
  )
  for (const { child } of servers) child.kill('SIGTERM')
  for (const { child } of servers) expect(await ended(child)).toBe(0)
  const { db, close } = await openDatabase(readConfig({ DATABASE_URL: postgres.url }), log)
  const { n } = await db
    .selectNoFrom((build) => build.cast<bigint>(build.val('9007199254740993'), 'bigint').as('n'))
    .executeTakeFirstOrThrow()
  expect(n).toBe(9_007_199_254_740_993n)
  await close()
  await postgres.stop()
})

test('behavior: an interrupted first start leaves nothing in the way', async () => {
  const attempts = async () =>
    (await readdir(dir)).filter((name) => /^postgres\.\d+\.new$/.test(name))
  // Somewhere in the middle of initdb. If this process stalls until initdb has ended, tries again
  // elsewhere.
  let abandoned: string | undefined
  while (abandoned === undefined) {
    await removeDatabase()
    dir = await makeTestDir()
    const server = spawnServer({ DATA_DIR: dir }).catch(() => undefined)
    const isBegun = async () =>
      (await attempts()).length === 1 || existsSync(join(dir, 'postgres/postmaster.pid'))
    await expect.poll(isBegun, { interval: 5 }).toBe(true)
    const owner: { pid: number } = JSON.parse(await readFile(join(dir, 'owner.json'), 'utf8'))
    process.kill(owner.pid, 'SIGKILL')
    await server
    abandoned = (await attempts())[0]
  }
  const postgres = await startNativePostgres(dir, log)
  expect(await query(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(await attempts()).not.toContain(abandoned)
  await postgres.stop()
})

test('behavior: for root a directory below a closed home goes to /var/lib/latchkey; others keep theirs', async () => {
  const home = await mkdtemp(join(homedir(), '.latchkey-test-'))
  await chmod(home, 0o700)
  const { base, runAs } = findLocation(home, await findBinaries())
  const postgres = await startNativePostgres(home, log)
  try {
    expect(await query(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }])
    if (runAs) expect(base).toMatch(/^\/var\/lib\/latchkey\/[0-9a-f]{12}$/)
    else expect(base).toBe(home)
  } finally {
    await postgres.stop()
    await rm(base, { recursive: true, force: true })
    await rm(home, { recursive: true, force: true })
  }
})
