import { readFile, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { Config } from '../config.ts'
import { pageHeaders, workerHeaders } from './pageHeaders.ts'

type WebRequest = {
  readonly method: string
  readonly path: string
  header(name: string): string | undefined
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}
const encodings = { br: '.br', gzip: '.gz' } as const
/** Paths of the API. An unknown path below them is an error and never a page. */
const api = /^\/(v1|v2|ws|public|get[A-Z]\w*|e|batch)(\/|$)/

/** The web app's response to a GET: a built file, the app's page for a navigation, or undefined. */
export async function serveWeb(config: Config, request: WebRequest): Promise<Response | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  const path = decode(request.path)
  if (path === undefined || api.test(path)) return undefined
  const file = await serveFile(config, request, path === '/' ? '/index.html' : path)
  if (file !== undefined || !isNavigation(request, path)) return file
  return (await serveFile(config, request, '/index.html')) ?? notBuilt(config)
}

async function serveFile(
  config: Config,
  request: WebRequest,
  path: string,
): Promise<Response | undefined> {
  const file = join(config.webDist, path)
  const type = types[extname(file)]
  if (type === undefined || !file.startsWith(config.webDist + sep)) return undefined
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const etag = `W/"${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}"`
  // Vite's file names in assets/ contain a hash of the content.
  const hashed = path.startsWith('/assets/')
  const headers: Record<string, string> = {
    'content-type': type,
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    vary: 'accept-encoding',
    ...(extname(file) === '.html' && pageHeaders(config)),
    ...(path === '/sw.js' && workerHeaders),
  }
  if (request.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
  for (const [encoding, suffix] of Object.entries(encodings)) {
    if (!accepts(request.header('accept-encoding'), encoding)) continue
    const packed = await readFile(file + suffix).catch(() => undefined)
    if (packed)
      return new Response(packed, { headers: { ...headers, 'content-encoding': encoding } })
  }
  return new Response(await readFile(file), { headers })
}

/**
 * Whether the request is a navigation, not a script that requests a missing file. The path of a
 * payment link ends in a name with dots.
 */
const isNavigation = (request: WebRequest, path: string) =>
  (path.startsWith('/pay/') || !/\.[^/]*$/.test(path)) &&
  (request.header('accept')?.includes('text/html') ?? false)

const accepts = (header: string | undefined, encoding: string) =>
  header?.split(',').some((part) => {
    const [name, weight] = part.split(';').map((text) => text.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight ?? '')
  }) ?? false

function decode(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path)
    return decoded.includes('\0') ? undefined : decoded
  } catch {
    return undefined
  }
}

const notBuilt = (config: Config) =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Latchkey</title><h1>The web app is not built yet</h1><p>The server runs. Build the web app with <code>npm run build -w @latchkey/web</code>, or start everything with <code>npm start</code>, and reload this page.</p></html>`,
    {
      status: 503,
      headers: { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(config) },
    },
  )
