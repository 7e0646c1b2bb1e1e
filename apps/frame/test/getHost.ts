import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'vite'

let url: Promise<string> | undefined

/**
 * The address of a site whose page `/host` runs `host.ts`, once for all test files of a worker. A
 * server answers instead of a route of the browser, which would keep the browser from caching what
 * the frame loads.
 */
export function getHost(): Promise<string> {
  url ??= serveHost()
  return url
}

async function serveHost(): Promise<string> {
  const script = await buildHost()
  const page = `<!doctype html><link rel="icon" href="data:,"><body style="margin:0"><script type="module" src="/host.js"></script>`
  const files = new Map([
    ['/host', { type: 'text/html', body: page }],
    ['/host.js', { type: 'text/javascript', body: script }],
  ])
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': file.type }).end(file.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function buildHost(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, 'host.ts'), formats: ['es'], fileName: 'host' },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error('the host page was not built')
  return chunk.code
}
