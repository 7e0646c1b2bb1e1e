import { extname, join, sep } from 'node:path'
import type { Config } from '../config.ts'
import { readBuiltFile } from '../http/files/readBuiltFile.ts'
import { isLoopbackOrigin } from '../projects/originAllowed.ts'
import { pageHeaders, workerHeaders } from './pageHeaders.ts'

type WebRequest = {
  readonly method: string
  readonly path: string
  readonly url: string
  header(name: string): string | undefined
}

/** Paths of the API. An unknown path below them is an error and never a page. */
const api = /^\/(v1|v2|ws|public|get[A-Z]\w*|e|batch)(\/|$)/

/** The web app's response to a GET: a built file, the app's page for a navigation, or undefined. */
export async function serveWeb(config: Config, request: WebRequest): Promise<Response | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  const path = decode(request.path)
  if (path === undefined || api.test(path)) return undefined
  const elsewhere = isNavigation(request, path) && findPublicAddress(config, request)
  if (elsewhere) return Response.redirect(elsewhere, 302)
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
  if (!file.startsWith(config.webDist + sep)) return undefined
  const found = await readBuiltFile(file, request.header('accept-encoding'))
  if (found === undefined) return undefined
  // Vite's file names in assets/ contain a hash of the content.
  const hashed = path.startsWith('/assets/')
  const headers: Record<string, string> = {
    ...found.headers,
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(extname(file) === '.html' && pageHeaders(config)),
    ...(path === '/sw.js' && workerHeaders),
  }
  if (request.header('if-none-match') !== found.headers.etag)
    return new Response(new Uint8Array(found.body), { headers })
  const { 'content-encoding': _, ...others } = headers
  return new Response(null, { status: 304, headers: others })
}

/**
 * Whether the request is a navigation, not a script that requests a missing file. The path of a
 * payment link ends in a name with dots.
 */
const isNavigation = (request: WebRequest, path: string) =>
  (path.startsWith('/pay/') || !/\.[^/]*$/.test(path)) &&
  (request.header('accept')?.includes('text/html') ?? false)

/**
 * The address of a page at PUBLIC_URL if the visitor has opened it by another name of this machine.
 * Its pictures and what the browser has stored belong to the one origin.
 */
function findPublicAddress({ publicUrl }: Config, request: WebRequest): string | undefined {
  const host = request.header('host')
  const opened = host === undefined ? undefined : `http://${host}`
  if (opened === undefined || !isLoopbackOrigin(opened)) return undefined
  const { origin, port } = new URL(opened)
  if (!isLoopbackOrigin(publicUrl) || origin === publicUrl || port !== new URL(publicUrl).port)
    return undefined
  const { pathname, search } = new URL(request.url, opened)
  return `${publicUrl}${pathname}${search}`
}

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
