import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'

/** A page with this query is served with `Cross-Origin-Opener-Policy: same-origin`. */
export const apart = '?apart'

/**
 * A proxy to the web app at `target` that can serve pages with
 * `Cross-Origin-Opener-Policy: same-origin`, because not every browser lets a test change a
 * response.
 */
export async function startProxy(port: number, target: string) {
  const { hostname, port: targetPort } = new URL(target)
  const server = createServer((asked, answer) => {
    const { url: path, method, headers } = asked
    const further = request({ hostname, port: targetPort, path, method, headers }, (response) => {
      const { statusCode = 502, headers } = response
      const isApart = path?.endsWith(apart) === true
      const more = isApart && { 'cross-origin-opener-policy': 'same-origin' }
      answer.writeHead(statusCode, { ...headers, ...more })
      response.pipe(answer)
    })
    further.on('error', () => answer.destroy())
    answer.on('close', () => further.destroy())
    asked.pipe(further)
  })
  server.on('upgrade', ({ url, rawHeaders }, near, head) => {
    const far = connect(Number(targetPort), hostname)
    const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`))
    far.write(`GET ${url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    far.write(head)
    near.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => near.destroy()).pipe(near)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
