import type { Logger } from 'pino'

type Parameters = {
  /** Undefined until there is one. */
  readonly log: () => Logger | undefined
  /** Ends the process in good order with the error and exit code 1. Called once. */
  readonly stop: (error: Error) => void
}

/**
 * The last line of defence: what nobody caught ends no more than it must.
 * - A connection, a pipe or a file that failed (an error of a system call), or a promise nobody waited for: whatever ran is
 *   over and left nothing half done. It is logged, and the server goes on: else one peer could take it from all the others.
 * - Anything else was thrown by our own code in the middle of a change, and what is in memory (who may do how much, what
 *   waits for whom) may be wrong from now on. The server stops in good order, and its supervisor starts it anew.
 */
export function catchUncaught({ log, stop }: Parameters): void {
  let stopping = false
  process.on('uncaughtException', (error, origin) => {
    const logger = log()
    if (logger && (origin === 'unhandledRejection' || isSystemError(error)))
      return logger.error({ err: error, origin }, 'uncaught, the server goes on')
    if (logger) logger.fatal({ err: error, origin }, 'uncaught, the server stops')
    if (stopping) return
    stopping = true
    stop(error)
  })
}

const isSystemError = (error: unknown) => error instanceof Error && 'syscall' in error
