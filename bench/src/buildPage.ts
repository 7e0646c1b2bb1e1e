import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chunkGroups } from '@latchkey/dev/chunks'
import { build, type Rolldown } from 'vite'

type File = { body: Buffer; gzip: Buffer; type: string }
export type Page = { files: ReadonlyMap<string, File>; chunks: readonly Rolldown.OutputChunk[] }

const typeOf = (name: string) =>
  name.endsWith('.html')
    ? 'text/html'
    : name.endsWith('.css')
      ? 'text/css'
      : name.endsWith('.js')
        ? 'text/javascript'
        : 'application/octet-stream'

type PageName = 'index' | 'connectors' | 'baseline'

/** Builds one page of `bench/page` as an app would, in memory. */
export async function buildPage(name: PageName): Promise<Page> {
  const root = resolve(import.meta.dirname, '../page')
  const built = (await build({
    root,
    logLevel: 'error',
    configFile: false,
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: {
        input: resolve(root, `${name}.html`),
        output: { codeSplitting: { groups: chunkGroups } },
      },
    },
  })) as Rolldown.RolldownOutput
  const files = new Map<string, File>()
  for (const part of built.output) {
    const body = Buffer.from(part.type === 'chunk' ? part.code : part.source)
    files.set(`/${part.fileName}`, {
      body,
      gzip: gzipSync(body, { level: 9 }),
      type: typeOf(part.fileName),
    })
  }
  return { files, chunks: built.output.filter((part) => part.type === 'chunk') }
}

/** Serves a built page, gzipped, on a free loopback port, with an empty wallet directory. */
export async function servePage(page: Page, name: PageName) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname
    if (path === '/getWallets')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"count":0,"data":[]}')
    const file = page.files.get(path === '/' ? `/${name}.html` : path)
    if (file === undefined) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': file.type, 'content-encoding': 'gzip' })
      .end(file.gzip)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, stop: () => new Promise<void>((done) => server.close(() => done())) }
}
