import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../ports.ts'
import { serveWallet } from './serveWallet.ts'
import { walletConfig } from './walletConfig.ts'

const config = walletConfig({
  ports: { 'eip155:31337': 8545, 'eip155:31338': 8546 },
  apiPort: 3000,
})
const dist = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
const site = { url: '', port: 0, stop: async () => {} }

beforeAll(async () => {
  mkdirSync(join(dist, 'assets'))
  for (const name of [
    'index.html',
    'approve.html',
    'bridge.html',
    'announce.js',
    'assets/x-1.js',
    '.built-from',
  ]) {
    writeFileSync(join(dist, name), name)
  }
  site.port = await freePort()
  site.url = `http://127.0.0.1:${site.port}`
  site.stop = await serveWallet({ dist, port: site.port, config })
})

afterAll(async () => {
  await site.stop()
  rmSync(dist, { recursive: true, force: true })
})

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' http://127.0.0.1:8545 http://127.0.0.1:8546 ws://127.0.0.1:* ws://localhost:*; base-uri 'none'; form-action 'none'"

test('default: a page is never cached, may load only its own files, and may not be embedded', async () => {
  const { headers } = await fetch(`${site.url}/`)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toBe(`${policy}; frame-ancestors 'none'`)
})

test('behavior: no spelling of the approval page may be embedded', async () => {
  const paths = [
    '/approve',
    '/approve.html',
    '/%2fapprove.html',
    '/bridge.html%2f..%2fapprove.html',
  ]
  for (const path of paths) {
    const response = await fetch(`${site.url}${path}#https://app.example`)
    expect(await response.text()).toBe('approve.html')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(response.headers.get('x-frame-options')).toBe('DENY')
  }
})

test('behavior: the bridge may be embedded', async () => {
  const { headers } = await fetch(`${site.url}/bridge.html`)
  expect(headers.get('content-security-policy')).toBe(policy)
  expect(headers.get('x-frame-options')).toBeNull()
})

test('behavior: pages of other origins may run the announcer', async () => {
  const { headers } = await fetch(`${site.url}/announce.js`)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test('behavior: /config.json names both chains and the relay', async () => {
  expect(await (await fetch(`${site.url}/config.json`)).json()).toEqual(config)
  expect(config.relayUrl).toBe('ws://127.0.0.1:3000')
})

test('behavior: a link of an app opens the wallet itself', async () => {
  const response = await fetch(`${site.url}/wc?uri=wc%3A1%402`)
  expect(await response.text()).toBe('index.html')
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('error: unknown, hidden, outside, malformed and written paths', async () => {
  const status = (path: string, method = 'GET') =>
    new Promise((resolve) => {
      request({ host: '127.0.0.1', port: site.port, path, method }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end()
    })
  expect(await status('/nothing.js')).toBe(404)
  expect(await status('/.built-from')).toBe(404)
  expect(await status('/..%2f..%2f..%2fetc%2fhostname.js')).toBe(404)
  expect(await status('/%')).toBe(404)
  expect(await status('/%00.js')).toBe(404)
  expect(await status('/', 'POST')).toBe(405)
})
