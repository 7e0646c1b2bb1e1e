import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A proxy for everything that is not on this machine: it records the requests and lets nothing
 * through.
 */
export async function startOutside() {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(`request to ${url}`)
    response.writeHead(403).end()
  })
  server.on('connect', ({ url = '' }, socket) => {
    asked.push(`request to ${url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked: asked as readonly string[],
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
