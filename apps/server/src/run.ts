import { isError } from '@latchkey/wire'
import { startServer } from './startServer.ts'

/** Starts the server of the environment, stops it on SIGTERM or SIGINT, and at once on a second one. */
export function run(env: Readonly<Record<string, string | undefined>>): void {
  const starting = startServer(env)
  let stopping = false
  const onSignal = () => {
    if (stopping) process.exit(1)
    stopping = true
    starting
      .then((server) => server.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  starting.catch(fail)
}

function fail(error: unknown): never {
  const text = isError(error) ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
