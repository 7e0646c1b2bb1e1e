import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { StartError } from '../startError.ts'
import { type DatabaseHome, spawnOptions } from './initialize.ts'
import { isRunning } from './superviseProcess.ts'

/** How long one attempt may take, not counting PostgreSQL's own crash recovery. */
export const startTimeoutMs = 30_000
/** If this is exceeded, PostgreSQL is ended at once and repairs itself at the next start. */
const stopTimeoutMs = 2_500

type Launch = {
  readonly url: string
  readonly signal: AbortSignal | undefined
  readonly giveUpAfterMs: number
}

/** Starts the process and waits until it accepts connections. Throws `DATABASE_FAILED`. */
export async function launchPostgres(
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
  await endPostgres(child)
  const reason = await tail(join(home.base, 'postgres.log'))
  throw new StartError('DATABASE_FAILED', { data: { reason: reason || 'it does not run' } })
}

/** Ends the process gracefully, or at once if that takes too long. */
export async function endPostgres(child: ChildProcess): Promise<void> {
  child.kill('SIGINT')
  if (await exited(child, stopTimeoutMs)) return
  child.kill('SIGQUIT')
  if (!(await exited(child, 500))) child.kill('SIGKILL')
  await exited(child, 500)
}

export function spawnPostgres(home: DatabaseHome, port: number): ChildProcess {
  const logFile = openSync(join(home.base, 'postgres.log'), 'w', 0o600)
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC']
  const child = spawn(
    join(home.binaries.dir, 'bin/postgres'),
    ['-D', home.data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    // A separate process group: Ctrl-C in a terminal must reach only this process, which still has
    // work to finish.
    { ...spawnOptions(home), detached: true, stdio: ['ignore', logFile, logFile] },
  )
  closeSync(logFile)
  child.on('error', () => {})
  return child
}

/**
 * Whether PostgreSQL accepts connections, is still starting (cannot_connect_now), or does not
 * answer.
 */
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

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const tail = async (path: string) =>
  (await readFile(path, 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n')
