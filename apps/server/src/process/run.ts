import { isError } from '@latchkey/wire'
import { StartError } from '../startError.ts'
import { type RunningServer, startServer } from '../startServer.ts'
import { catchUncaught } from './catchUncaught.ts'

/** The longest time that a stop may take, even if something hangs. */
const stopTimeoutMs = 14_000

/**
 * Starts the server from the environment, stops it on SIGTERM or SIGINT, and at once on a second
 * signal. If the server cannot continue, it stops with the error and exit code 1.
 * {@link catchUncaught} describes the effect of uncaught errors.
 */
export function run(env: Readonly<Record<string, string | undefined>>): void {
  let started: RunningServer | undefined
  let stopping = false
  const stop = (failure?: Error) => {
    stopping = true
    setTimeout(() => fail(failure ?? new Error(timeoutMessage)), stopTimeoutMs)
    starting
      .then((server) => server.stop())
      .then(
        () => (failure ? fail(failure) : process.exit(0)),
        (error: unknown) => fail(failure ?? error),
      )
  }
  catchUncaught({ log: () => started?.services.log, stop })
  const starting = startServer(env)
  const onSignal = () => {
    if (stopping) process.exit(1)
    stop()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  starting
    .then((server) => {
      started = server
      return server.failed
    })
    .then(stop, fail)
}

const timeoutMessage = `The server did not stop within ${stopTimeoutMs / 1000} s and was ended`

function fail(error: unknown): never {
  const isSaid = isError(error) || error instanceof StartError
  const text = isSaid ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
