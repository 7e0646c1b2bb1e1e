import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { getErrorMessage } from '../getErrorMessage.ts'
import { StartError } from '../startError.ts'

/** A PostgreSQL that is restarted whenever it ends. */
export type SupervisedProcess = {
  /** A public message about the current problem. Undefined while PostgreSQL runs. */
  trouble(): string | undefined
  /**
   * Resolves to `DATABASE_FAILED` when restarting has failed for too long. Otherwise it never
   * settles.
   */
  readonly failed: Promise<StartError>
  /** Stops the restarts. Resolves to the process that still runs, if any. */
  stop(): Promise<ChildProcess | undefined>
}

type Parameters = {
  /** Makes one attempt. Rejects if it fails, and at once when the signal is aborted. */
  start(signal: AbortSignal): Promise<ChildProcess>
  readonly giveUpAfterMs: number
  readonly log: Logger
}

const firstPauseMs = 100
const maxPauseMs = 15_000
/** A process that ends sooner did not run steadily, so the pauses keep growing. */
const steadyMs = 30_000

/** Whether a child process has been started and has not ended. */
export const isRunning = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

/**
 * Restarts a process with growing pauses, until `giveUpAfterMs` have passed since it last ran
 * steadily.
 */
export function superviseProcess(first: ChildProcess, parameters: Parameters): SupervisedProcess {
  const { start, giveUpAfterMs, log } = parameters
  const abort = new AbortController()
  let child: ChildProcess | undefined = first
  let restarting: Promise<ChildProcess | undefined> | undefined
  let startedAtMs = performance.now()
  let downSinceMs = startedAtMs
  let tries = 0
  let report: (error: StartError) => void
  const failed = new Promise<StartError>((resolve) => {
    report = resolve
  })
  const downMs = () => performance.now() - downSinceMs

  const restart = async (ending: string): Promise<ChildProcess | undefined> => {
    let reason = ending
    if (performance.now() - startedAtMs > steadyMs) tries = 0
    if (tries === 0) downSinceMs = performance.now()
    while (!abort.signal.aborted) {
      if (tries > 0 && downMs() > giveUpAfterMs) {
        report(
          new StartError('DATABASE_FAILED', {
            data: { reason: describeFailure(downMs(), reason) },
          }),
        )
        return undefined
      }
      const pauseMs = tries === 0 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** tries)
      await sleep(pauseMs, undefined, { signal: abort.signal }).catch(() => {})
      if (abort.signal.aborted) return undefined
      tries += 1
      try {
        const started = await start(abort.signal)
        startedAtMs = performance.now()
        log.info({ tries }, 'PostgreSQL is running again')
        return started
      } catch (error) {
        reason = getErrorMessage(error)
        if (!abort.signal.aborted) log.error({ reason, tries }, 'PostgreSQL cannot be started yet')
      }
    }
    return undefined
  }

  const watch = (running: ChildProcess) => {
    child = running
    const onEnd = async () => {
      child = undefined
      if (abort.signal.aborted) return
      const { exitCode: code, signalCode: signal } = running
      log.error({ code, signal }, 'PostgreSQL ended unexpectedly, starting it again')
      restarting = restart(`it ended with ${signal ?? code}`)
      const again = await restarting
      if (again !== undefined) watch(again)
    }
    // The process may have ended since it became ready.
    if (isRunning(running)) running.once('exit', onEnd)
    else void onEnd()
  }
  watch(first)

  return {
    failed,
    trouble() {
      if (child !== undefined) return undefined
      const seconds = Math.round(downMs() / 1000)
      return `PostgreSQL has not run for ${seconds} s. It is being started again (try ${tries})`
    },
    async stop() {
      abort.abort()
      return child ?? (await restarting)
    },
  }
}

const describeFailure = (ms: number, reason: string) =>
  `PostgreSQL has not run for ${Math.round(ms / 1000)} s and cannot be started again. The reason:\n${reason}`
