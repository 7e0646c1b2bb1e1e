import type { Server } from 'node:http'
import { StartError } from '../../startError.ts'

/** How long requests in progress may take when a server stops. */
const drainMs = 9_000

/** Listens, and resolves to the port. Throws PORT_TAKEN, which names the variable to change. */
export function listen(
  server: Server,
  { host, port, variable }: { host: string; port: number; variable: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException) => {
      const isPortInUse = cause.code === 'EADDRINUSE'
      reject(
        isPortInUse
          ? new StartError('PORT_TAKEN', { cause, data: { host, port, variable } })
          : cause,
      )
    }
    server.once('error', onError)
    server.listen(port, host, () => {
      server.off('error', onError)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/**
 * Stops accepting requests, lets those in progress finish, and closes connections once they are
 * idle.
 */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = new Promise((resolve) => server.close(resolve))
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const force = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearInterval(sweep)
  clearTimeout(force)
}
