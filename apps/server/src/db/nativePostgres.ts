import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { LatchkeyError } from '@latchkey/wire'
import pg from 'pg'
import type { Logger } from 'pino'
import { findBinaries } from './binaries.ts'
import { type Home, initialise, spawnOptions, user } from './initialise.ts'
import { claim, liveOwner } from './owner.ts'
import { findPlace, preparePlace } from './place.ts'
import { readPostmaster, stopOrphan } from './stopOrphan.ts'

/** A PostgreSQL that runs for us. `stop` ends it gracefully and gives the data directory up. */
export type NativePostgres = { readonly url: string; stop(): Promise<void> }

const startTimeoutMs = 30_000
const stopTimeoutMs = 30_000

/**
 * Starts the PostgreSQL of `dataDir`, made on first use. One left behind by a killed server is stopped first; one that
 * dies is started again on the same port. Throws `DATABASE_IN_USE` and `DATABASE_FAILED`.
 */
export async function startNativePostgres(dataDir: string, log: Logger): Promise<NativePostgres> {
  const found = await findBinaries()
  const place = findPlace(dataDir, found)
  const binaries = await preparePlace(place, found)
  const release = await claim(place.base)
  try {
    const data = join(place.base, 'postgres')
    const password = await readOrMakePassword(place.base)
    const home = { ...place, binaries, data, password }
    await stopOrphan(data, log)
    if (!existsSync(data)) await initialise(home)
    return await run(home, log, release)
  } catch (error) {
    await release()
    throw error
  }
}

/** The URL of the PostgreSQL that another process of ours runs for `dataDir` at this moment, if one does. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const { base } = findPlace(dataDir, await findBinaries())
  if ((await liveOwner(base)) === undefined) return undefined
  const port = (await readPostmaster(join(base, 'postgres')))?.port
  if (port === undefined) return undefined
  return urlOf(await readOrMakePassword(base), port)
}

async function run(home: Home, log: Logger, release: () => Promise<void>): Promise<NativePostgres> {
  const port = await freePort()
  const url = urlOf(home.password, port)
  let stopping = false
  let starting: Promise<void> | undefined
  let child = await launch(home, port, url)
  const killWithUs = () => child.kill('SIGINT')
  const watch = () => {
    child.once('exit', (code, signal) => {
      if (stopping) return
      log.error({ code, signal }, 'postgres died, starting it again')
      starting = restart()
    })
  }
  const restart = async () => {
    try {
      child = await launch(home, port, url)
      watch()
    } catch (error) {
      log.fatal({ err: error }, 'postgres cannot be started again')
    }
  }
  watch()
  process.once('exit', killWithUs)
  return {
    url,
    async stop() {
      stopping = true
      await starting
      child.kill('SIGINT')
      if (!(await exited(child, stopTimeoutMs))) child.kill('SIGQUIT')
      await exited(child, 5_000)
      process.off('exit', killWithUs)
      await release()
    },
  }
}

/** Starts the process and waits until it answers. Backends of a killed predecessor may hold its memory for a moment. */
async function launch(home: Home, port: number, url: string): Promise<ChildProcess> {
  const endsAt = performance.now() + startTimeoutMs
  for (;;) {
    const child = spawnPostgres(home, port)
    for (;;) {
      if (await answers(url)) return child
      if (!isRunning(child) || performance.now() > endsAt) break
      await pause(25)
    }
    child.kill('SIGQUIT')
    await exited(child, 5_000)
    const reason = await tail(join(home.base, 'postgres.log'))
    if (performance.now() > endsAt || !/shared memory block/.test(reason))
      throw new LatchkeyError('DATABASE_FAILED', { data: { reason: reason || 'it does not run' } })
    await pause(200)
  }
}

function spawnPostgres(home: Home, port: number): ChildProcess {
  const logFile = openSync(join(home.base, 'postgres.log'), 'w', 0o600)
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC']
  const child = spawn(
    join(home.binaries.dir, 'bin/postgres'),
    ['-D', home.data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    // Its own process group: Ctrl-C in a terminal must reach us alone, we still have work to finish in it.
    { ...spawnOptions(home), detached: true, stdio: ['ignore', logFile, logFile] },
  )
  closeSync(logFile)
  child.on('error', () => {})
  return child
}

async function readOrMakePassword(base: string): Promise<string> {
  const path = join(base, 'postgres-password')
  const known = await readFile(path, 'utf8').catch(() => '')
  if (known !== '') return known
  const password = randomBytes(24).toString('base64url')
  await writeFile(`${path}.new`, password, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return password
}

const urlOf = (password: string, port: number) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/postgres`

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const isRunning = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

async function exited(child: ChildProcess, timeoutMs: number): Promise<boolean> {
  const endsAt = performance.now() + timeoutMs
  while (isRunning(child) && performance.now() < endsAt) await pause(10)
  return !isRunning(child)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const tail = async (path: string) =>
  (await readFile(path, 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n')

/** A port nobody listens on at this moment. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
