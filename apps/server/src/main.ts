import { isError } from '@latchkey/wire'
import { startServer } from './startServer.ts'

/** Starts the server of the environment, stops it on SIGTERM or SIGINT, and at once on a second one. */
async function main(): Promise<void> {
  const server = await startServer(process.env)
  let stopping = false
  const onSignal = (signal: string) => {
    if (stopping) {
      server.services.log.warn({ signal }, 'stopping at once')
      process.exit(1)
    }
    stopping = true
    server.services.log.info({ signal }, 'stopping')
    server.stop().then(
      () => process.exit(0),
      (error) => {
        server.services.log.error({ err: error }, 'did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

main().catch((error: unknown) => {
  const text = isError(error) ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
})
