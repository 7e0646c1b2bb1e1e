import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/startTestServer.ts'
import { addProject } from './projects.ts'

const event = {
  eventId: '1c1f9d0e-7d3e-4f7a-9a94-0e6f0f9a2b11',
  props: { type: 'track', event: 'X' },
}
let server: TestServer

const ask = (projectId: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/e?projectId=${projectId}`, {
    method: 'POST',
    body: JSON.stringify(event),
    headers,
  })
const statusOf = async (...parameters: Parameters<typeof ask>) => (await ask(...parameters)).status

/** Uses `node:http`, because `fetch` cannot send another Host. */
const statusAt = (projectId: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const url = `${server.url}/e?projectId=${projectId}`
    const asking = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asking.on('error', reject)
    asking.end(JSON.stringify(event))
  })
const rebound = { host: 'evil.example:3000', 'sec-fetch-site': 'same-origin' }

beforeAll(async () => {
  server = await startTestServer({ ANALYTICS: 'log', PUBLIC_URL: 'https://wallet.example' })
})
afterAll(() => server?.stop())

test('default: until a project exists any id is good from this machine only', async () => {
  expect(await statusOf('anything')).toBe(202)
  expect(await statusOf('anything', { origin: 'http://localhost:5173' })).toBe(202)
  expect(await statusOf('anything', { origin: 'https://wallet.example' })).toBe(202)
  const refused = await ask('anything', { origin: 'https://evil.example' })
  expect(refused.status).toBe(403)
  expect(await refused.json()).toEqual({
    status: 'FAILED',
    reasons: [{ field: 'origin', description: 'Unauthorized: origin not allowed' }],
  })
})

test('error: a page whose own name points here is not of this machine', async () => {
  expect(await statusAt('local', rebound)).toBe(403)
  expect(await statusAt('anything', { host: 'evil.example:3000' })).toBe(403)
  expect(await statusAt('local', { ...rebound, origin: 'http://evil.example:3000' })).toBe(403)
  expect(await statusAt('local', { ...rebound, host: 'wallet.example' })).toBe(202)
  expect(await statusAt('anything', { host: '127.0.0.1:1' })).toBe(202)
})

test('behavior: afterwards unknown ids and foreign origins are refused', async () => {
  const { db } = server.services
  await addProject(db, { id: 'shop', name: 'Shop', allowedOrigins: ['https://*.shop.example'] })
  await addProject(db, { id: 'open', name: 'Open', allowedOrigins: [] })
  await expect.poll(() => statusOf('nobody')).toBe(401)
  const unknown = await ask('nobody')
  expect(unknown.status).toBe(401)
  expect(await unknown.json()).toEqual({
    status: 'FAILED',
    reasons: [{ field: 'authentication', description: 'We failed to authenticate your request' }],
  })
  expect(await statusOf('x'.repeat(5000))).toBe(401)
  expect(await statusOf('shop', { origin: 'https://www.shop.example' })).toBe(202)
  expect(await statusOf('shop', { origin: 'http://localhost:1' })).toBe(202)
  expect(await statusOf('shop')).toBe(202)
  expect(await statusOf('shop', { origin: 'https://evil.example' })).toBe(403)
  expect(await statusOf('open', { origin: 'https://evil.example' })).toBe(202)
})

test('error: a providerId that is no project is refused as an unknown project is', async () => {
  const rpc = async (providerId: string) => {
    const url = `${server.url}/v1?chainId=eip155:999&projectId=shop&providerId=${providerId}`
    const response = await fetch(url, { method: 'POST', body: '{}' })
    const { reasons } = (await response.json()) as { reasons: { field: string }[] }
    return [response.status, reasons[0]?.field]
  }
  expect(await rpc('nobody')).toEqual([401, 'providerId'])
  expect(await rpc('shop')).toEqual([400, 'chainId'])
})

test('behavior: our own web app keeps its id on its own pages', async () => {
  expect(await statusOf('local', { origin: 'https://wallet.example' })).toBe(202)
  expect(await statusOf('local', { 'sec-fetch-site': 'same-origin' })).toBe(202)
  expect(await statusOf('local', { origin: 'https://evil.example' })).toBe(401)
  expect(await statusOf('local')).toBe(401)
  expect(await statusAt('local', rebound)).toBe(401)
})

test('behavior: an id that exists is not added again', async () => {
  const other = { id: 'shop', name: 'Other', allowedOrigins: [] }
  expect(await addProject(server.services.db, other)).toBe(false)
})
