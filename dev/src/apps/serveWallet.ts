import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import { host } from '../ports.ts'
import type { WalletConfig } from './walletConfig.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** Serves the built development wallet and its /config.json. Returns a function that stops it. */
export async function serveWallet(parameters: {
  dist: string
  port: number
  config: WalletConfig
}): Promise<() => Promise<void>> {
  const { dist, port, config } = parameters
  const server = createServer(async (request, response) => {
    const path = toPath(request.url)
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('referrer-policy', 'no-referrer')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return end(response, 405, { allow: 'GET, HEAD' })
    }
    if (path === '/config.json') {
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
      return end(response, 200, headers, JSON.stringify(config))
    }
    const body = path === undefined ? undefined : await read(dist, path)
    if (path === undefined || body === undefined) return end(response, 404, {})
    end(response, 200, getHeaders(path, config), request.method === 'HEAD' ? undefined : body)
  })
  await listen(server, port)
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

// Addresses of pages have no extension: / is index.html, /approve is approve.html. /wc is where
// apps open a wallet.
function toPath(url = '/') {
  try {
    const path = decodeURIComponent(new URL(url, 'http://wallet').pathname)
    if (path.includes('\0')) return undefined
    if (path === '/wc') return '/index.html'
    if (path.endsWith('/')) return `${path}index.html`
    return extname(path) === '' ? `${path}.html` : path
  } catch {
    return undefined
  }
}

async function read(dist: string, path: string) {
  const file = join(dist, path)
  if (!file.startsWith(dist + sep) || !types[extname(file)]) return undefined
  return readFile(file).catch(() => undefined)
}

function getHeaders(path: string, config: WalletConfig): Record<string, string> {
  const type = types[extname(path)] ?? ''
  if (extname(path) === '.html') {
    return { 'content-type': type, 'cache-control': 'no-store', ...pageHeaders(path, config) }
  }
  const hashed = path.startsWith('/assets/')
  return {
    'content-type': type,
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    // The announcer and its imports run in third-party pages.
    ...(extname(path) === '.js' && {
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    }),
  }
}

function pageHeaders(path: string, config: WalletConfig): Record<string, string> {
  const { chains, solana, bitcoin } = config
  const nodes = [...chains, ...(solana ? [solana] : [])].map(({ rpcUrl }) => rpcUrl)
  if (bitcoin) nodes.push(bitcoin.esploraUrl)
  // The bridge is the one page that others embed.
  const embeddable = path === '/bridge.html'
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    // A pairing link may name another relay of this machine than the configured one.
    `connect-src 'self' ${nodes.join(' ')} ws://127.0.0.1:* ws://localhost:*`,
    "base-uri 'none'",
    "form-action 'none'",
    ...(embeddable ? [] : ["frame-ancestors 'none'"]),
  ]
  return {
    'content-security-policy': policy.join('; '),
    ...(embeddable
      ? { 'cross-origin-resource-policy': 'cross-origin' }
      : { 'x-frame-options': 'DENY' }),
  }
}

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })

function end(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body?: string | Buffer,
) {
  response.writeHead(status, headers)
  response.end(body)
}
