import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { getErrorMessage } from '../getErrorMessage.ts'
import { findBinaries } from './binaries.ts'
import { claimDatabase, findLiveOwner } from './claimDatabase.ts'
import { findLocation, prepareLocation } from './databaseLocation.ts'
import { type DatabaseHome, initializeDatabase, user } from './initialize.ts'
import {
  endPostgres,
  launchPostgres,
  pause,
  spawnPostgres,
  startTimeoutMs,
} from './launchPostgres.ts'
import { readPostmaster, stopOrphanedPostgres } from './stopOrphanedPostgres.ts'
import { type SupervisedProcess, superviseProcess } from './superviseProcess.ts'

/**
 * A PostgreSQL that this process runs. `stop` ends it, gracefully if possible, and releases the
 * data directory.
 */
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

/**
 * Starts the PostgreSQL of `dataDir`, and creates it on first use. If a killed server left one
 * running, that is stopped first. If PostgreSQL dies, it is restarted on the same port, until it
 * has been down for `giveUpAfterMs`. Throws `DATABASE_IN_USE` and `DATABASE_FAILED`.
 */
export async function startNativePostgres(
  dataDir: string,
  log: Logger,
  { giveUpAfterMs = defaultGiveUpMs, findPort = freePort }: Options = {},
): Promise<NativePostgres> {
  const found = await findBinaries()
  const place = findLocation(dataDir, found)
  const binaries = await prepareLocation(place, found)
  const release = await claimDatabase(place.base)
  try {
    const data = join(place.base, 'postgres')
    const password = await readOrMakePassword(place.base)
    const home = { ...place, binaries, data, password }
    await stopOrphanedPostgres(data, log)
    if (!existsSync(data)) await initializeDatabase(home)
    return await run(home, { log, giveUpAfterMs, findPort }, release)
  } catch (error) {
    await release()
    throw error
  }
}

/** The URL of the PostgreSQL that another Latchkey process currently runs for `dataDir`, if any. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const { base } = findLocation(dataDir, await findBinaries())
  if ((await findLiveOwner(base)) === undefined) return undefined
  const port = (await readPostmaster(join(base, 'postgres')))?.port
  if (port === undefined) return undefined
  return getUrl(await readOrMakePassword(base), port)
}

/** Whether a PostgreSQL has been created for `dataDir`. */
export async function hasNativePostgres(dataDir: string): Promise<boolean> {
  const { base } = findLocation(dataDir, await findBinaries())
  return existsSync(join(base, 'postgres'))
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
    launchPostgres({ url: url(), signal, giveUpAfterMs }, home, () => {
      newest = spawnPostgres(home, place.port)
      return newest
    })
  const movePort = async () => {
    place.port = await findPort()
  }
  const supervised = superviseProcess(await startFirst(start, movePort), {
    giveUpAfterMs,
    log,
    async start(signal) {
      // A process that still holds the memory or the lock of the previous one would prevent the
      // start.
      await stopOrphanedPostgres(home.data, log)
      return start(signal)
    },
  })
  return {
    url: url(),
    failed: supervised.failed,
    trouble: supervised.trouble,
    async stop() {
      const child = await supervised.stop()
      if (child !== undefined) await endPostgres(child)
      process.off('exit', killWithUs)
      await release()
    },
  }
}

/**
 * Retries, because backends of a killed predecessor may hold its memory for a moment, and another
 * program may take the port.
 */
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

/** A free port. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
