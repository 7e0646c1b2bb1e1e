import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { host } from '../ports.ts'
import { root } from '../root.ts'

/** A web server with metadata and pictures, and its IPFS gateway at /ipfs/. */
export type Media = { readonly url: string; stop(): Promise<void> }

const types: Record<string, string> = {
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/**
 * Serves dev/media: `/items/{id}.json` with the id in ERC-1155's form (64 hex digits) or bare,
 * pictures next to it, and `/ipfs/{cid}`. `{origin}` in metadata is replaced by the server's
 * origin. Port 0 is any free port.
 */
export async function startMedia({ port }: { port: number }): Promise<Media> {
  const server = createServer(async (request, response) => {
    const file = findFile(request.url ?? '')
    const body = file && (await readFile(`${root}/dev/media/${file}`).catch(() => undefined))
    if (!file || !body) return response.writeHead(404).end()
    const type = types[extname(file)] ?? getType(body)
    const content = type === 'application/json' ? withOrigin(body, url) : body
    response.writeHead(200, { 'content-type': type, 'x-content-type-options': 'nosniff' })
    response.end(content)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const url = `http://${host}:${typeof address === 'object' && address ? address.port : port}`
  return {
    url,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The file of dev/media for a path; paths outside it do not match. */
function findFile(path: string) {
  const [, folder, name] = /^\/(items|ipfs)\/([a-z0-9]+(?:\.[a-z]+)?)$/i.exec(path) ?? []
  if (!folder || !name) return undefined
  return `${folder}/${name.replace(/^0+(?=[0-9a-f]+\.json$)/, '')}`
}

const withOrigin = (body: Buffer, origin: string) => String(body).replaceAll('{origin}', origin)

const getType = (body: Buffer) =>
  body.subarray(1, 4).toString('latin1') === 'PNG' ? 'image/png' : 'application/json'
