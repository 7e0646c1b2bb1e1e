import type { Logger } from 'pino'

type Parameters = {
  /** Undefined until there is one. */
  readonly log: () => Logger | undefined
  /** Ends the process in good order with the error and exit code 1. Called once. */
  readonly stop: (error: Error) => void
}

/**
 * The last line of defence: an uncaught error ends no more than it must.
 * - A connection, a pipe or a file that failed (an error of a system call), or an unhandled
 * promise: whatever ran is
 *   over and left nothing half done. The error is logged and the server goes on; otherwise, one peer could stop it for everyone.
 * - Anything else was thrown by our own code in the middle of a change, and what is in memory (who
 * may do how much, what
 *   waits for which other) may be wrong from now on. The server shuts down cleanly, and its supervisor restarts it.
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
