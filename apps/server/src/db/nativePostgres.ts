import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import { getErrorMessage } from '../getErrorMessage.ts'
import { StartError } from '../startError.ts'
import { findBinaries } from './binaries.ts'
import { type DatabaseHome, initialise, spawnOptions, user } from './initialise.ts'
import { isRunning, keepRunning, type SupervisedProcess } from './keepRunning.ts'
import { claim, liveOwner } from './owner.ts'
import { findLocation, prepareLocation } from './place.ts'
import { readPostmaster, stopOrphan } from './stopOrphan.ts'

/** A PostgreSQL that this process runs. `stop` ends it, gracefully if possible, and releases the data directory. */
export type NativePostgres = Pick<SupervisedProcess, 'failed' | 'trouble'> & {
  readonly url: string
  stop(): Promise<void>
}

type Options = {
  /** How long PostgreSQL may be down before `failed` resolves. */
  readonly giveUpAfterMs?: number | undefined
  /** Finds a free port; called again if another program takes it first. */
  readonly findPort?: () => Promise<number>
}

const defaultGiveUpMs = 600_000
/** How long one attempt may take, not counting PostgreSQL's own crash recovery. */
const startTimeoutMs = 30_000
/** If this is exceeded, PostgreSQL is ended at once and repairs itself at the next start. */
const stopTimeoutMs = 2_500

/**
 * Starts the PostgreSQL of `dataDir`, and creates it on first use. If a killed server left one running, that is stopped
 * first. If PostgreSQL dies, it is restarted on the same port, until it has been down for `giveUpAfterMs`. Throws
 * `DATABASE_IN_USE` and `DATABASE_FAILED`.
 */
export async function startNativePostgres(
  dataDir: string,
  log: Logger,
  { giveUpAfterMs = defaultGiveUpMs, findPort = freePort }: Options = {},
): Promise<NativePostgres> {
  const found = await findBinaries()
  const place = findLocation(dataDir, found)
  const binaries = await prepareLocation(place, found)
  const release = await claim(place.base)
  try {
    const data = join(place.base, 'postgres')
    const password = await readOrMakePassword(place.base)
    const home = { ...place, binaries, data, password }
    await stopOrphan(data, log)
    if (!existsSync(data)) await initialise(home)
    return await run(home, { log, giveUpAfterMs, findPort }, release)
  } catch (error) {
    await release()
    throw error
  }
}

/** The URL of the PostgreSQL that another Latchkey process currently runs for `dataDir`, if any. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const { base } = findLocation(dataDir, await findBinaries())
  if ((await liveOwner(base)) === undefined) return undefined
  const port = (await readPostmaster(join(base, 'postgres')))?.port
  if (port === undefined) return undefined
  return getUrl(await readOrMakePassword(base), port)
}

type Start = {
  readonly log: Logger
  readonly giveUpAfterMs: number
  readonly findPort: () => Promise<number>
}

async function run(
  home: DatabaseHome,
  { log, giveUpAfterMs, findPort }: Start,
  release: () => Promise<void>,
): Promise<NativePostgres> {
  const place = { port: await findPort() }
  const url = () => getUrl(home.password, place.port)
  let newest: ChildProcess | undefined
  const killWithUs = () => newest?.kill('SIGINT')
  process.once('exit', killWithUs)
  const start = (signal?: AbortSignal) =>
    launch({ url: url(), signal, giveUpAfterMs }, home, () => {
      newest = spawnPostgres(home, place.port)
      return newest
    })
  const movePort = async () => {
    place.port = await findPort()
  }
  const supervised = keepRunning(await startFirst(start, movePort), {
    giveUpAfterMs,
    log,
    async start(signal) {
      // A process that still holds the memory or the lock of the previous one would prevent the start.
      await stopOrphan(home.data, log)
      return start(signal)
    },
  })
  return {
    url: url(),
    failed: supervised.failed,
    trouble: supervised.trouble,
    async stop() {
      const child = await supervised.stop()
      if (child !== undefined) await end(child)
      process.off('exit', killWithUs)
      await release()
    },
  }
}

/** Retries, because backends of a killed predecessor may hold its memory for a moment, and another program may take the port. */
async function startFirst(
  start: () => Promise<ChildProcess>,
  movePort: () => Promise<void>,
): Promise<ChildProcess> {
  const endsAtMs = performance.now() + startTimeoutMs
  for (;;)
    try {
      return await start()
    } catch (error) {
      const reason = getErrorMessage(error)
      const isTaken = /could not create any TCP\/IP sockets/.test(reason)
      if (performance.now() > endsAtMs || !(isTaken || /shared memory block/.test(reason)))
        throw error
      await (isTaken ? movePort() : pause(200))
    }
}

type Launch = {
  readonly url: string
  readonly signal: AbortSignal | undefined
  readonly giveUpAfterMs: number
}

/** Starts the process and waits until it accepts connections. Throws `DATABASE_FAILED`. */
async function launch(
  { url, signal, giveUpAfterMs }: Launch,
  home: DatabaseHome,
  spawn: () => ChildProcess,
): Promise<ChildProcess> {
  const child = spawn()
  const startedAtMs = performance.now()
  let endsAtMs = startedAtMs + startTimeoutMs
  while (isRunning(child) && performance.now() < endsAtMs && !signal?.aborted) {
    const answer = await ask(url)
    if (answer === 'ready') return child
    // Do not interrupt crash recovery: it would start again from the beginning.
    if (answer === 'repairing')
      endsAtMs = Math.min(performance.now() + startTimeoutMs, startedAtMs + giveUpAfterMs)
    await pause(25)
  }
  await end(child)
  const reason = await tail(join(home.base, 'postgres.log'))
  throw new StartError('DATABASE_FAILED', { data: { reason: reason || 'it does not run' } })
}

/** Ends the process gracefully, or at once if that takes too long. */
async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGINT')
  if (await exited(child, stopTimeoutMs)) return
  child.kill('SIGQUIT')
  if (!(await exited(child, 500))) child.kill('SIGKILL')
  await exited(child, 500)
}

function spawnPostgres(home: DatabaseHome, port: number): ChildProcess {
  const logFile = openSync(join(home.base, 'postgres.log'), 'w', 0o600)
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC']
  const child = spawn(
    join(home.binaries.dir, 'bin/postgres'),
    ['-D', home.data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    // A process group of its own: Ctrl-C in a terminal must reach only this process, which still has work to finish.
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

const getUrl = (password: string, port: number) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/postgres`

/** Whether PostgreSQL accepts connections, is still starting (cannot_connect_now), or does not answer. */
async function ask(url: string): Promise<'ready' | 'repairing' | 'silent'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    return (error as { code?: unknown }).code === '57P03' ? 'repairing' : 'silent'
  } finally {
    client.end().catch(() => {})
  }
}

async function exited(child: ChildProcess, timeoutMs: number): Promise<boolean> {
  const endsAt = performance.now() + timeoutMs
  while (isRunning(child) && performance.now() < endsAt) await pause(10)
  return !isRunning(child)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const tail = async (path: string) =>
  (await readFile(path, 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n')

/** A free port. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
