import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { StartError } from '../startError.ts'
import { anyProcessIn, getCommand, isAlive, waitForExit } from './process.ts'

const stopTimeoutMs = 30_000

/** Stops a PostgreSQL whose server was killed, so that nothing else writes during the start. */
export async function stopOrphanedPostgres(data: string, log: Logger): Promise<void> {
  const pid = (await readPostmaster(data))?.pid
  if (pid === undefined) return
  if (isAlive(pid) && getCommand(pid)?.includes(data)) {
    log.warn({ pid }, 'stopping the PostgreSQL that a killed server left behind')
    process.kill(pid, 'SIGINT')
    if (!(await waitForExit(pid, stopTimeoutMs))) process.kill(pid, 'SIGQUIT')
    if (!(await waitForExit(pid, 5_000))) throw stillRunning(pid)
  }
  await forgetPostmaster(data, pid)
}

/**
 * postgres mistakes any process with the id in its pid file for itself: a zombie that was not
 * reaped (common in containers), or an unrelated process that got the same id. Once no process
 * works in the data directory, the file is stale for certain.
 */
async function forgetPostmaster(data: string, pid: number): Promise<void> {
  const endsAt = performance.now() + 10_000
  while (anyProcessIn(data)) {
    if (performance.now() > endsAt) throw stillRunning(pid)
    await pause(25)
  }
  await rm(join(data, 'postmaster.pid'), { force: true })
}

const stillRunning = (pid: number) =>
  new StartError('DATABASE_FAILED', { data: { reason: `process ${pid} does not stop` } })

/** postmaster.pid: line 1 the process id, line 4 the port. */
export async function readPostmaster(
  data: string,
): Promise<{ pid: number; port: number } | undefined> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port] = lines.split('\n').map(Number)
  return pid && port ? { pid, port } : undefined
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
