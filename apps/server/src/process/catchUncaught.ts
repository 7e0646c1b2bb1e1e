import type { Logger } from 'pino'

type Parameters = {
  /** Undefined until the log is open. */
  readonly log: () => Logger | undefined
  /** Ends the process in good order with the error and exit code 1. Called once. */
  readonly stop: (error: Error) => void
}

/**
 * Limits the damage of an uncaught error.
 * - A failed connection, pipe or file (an error of a system call), or an unhandled promise: the
 *   failed work has ended and left nothing half done. The error is logged and the server continues;
 *   otherwise, one peer could stop it for everyone.
 * - Anything else was thrown by our code in the middle of a change, so the state in memory (limits,
 *   queues) may be wrong from now on. The server shuts down cleanly, and its supervisor restarts
 *   it.
 */
export function catchUncaught({ log, stop }: Parameters): void {
  let stopping = false
  process.on('uncaughtException', (error, origin) => {
    const logger = log()
    if (logger && (origin === 'unhandledRejection' || isSystemError(error)))
      return logger.error({ err: error, origin }, 'uncaught error, the server continues')
    if (logger) logger.fatal({ err: error, origin }, 'uncaught error, the server stops')
    if (stopping) return
    stopping = true
    stop(error)
  })
}

const isSystemError = (error: unknown) => error instanceof Error && 'syscall' in error
