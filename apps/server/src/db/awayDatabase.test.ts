import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDatabase, startInbox } from '@latchkey/dev'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAuthClient } from '../../test/auth/authClient.ts'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith } from '../../test/makeServices.ts'
import { createIdentity, testAudience } from '../../test/relayClient.ts'
import { openRelaySocket, refusalOf } from '../../test/relaySocket.ts'
import { type ProxyMode, startProxy } from '../../test/startProxy.ts'
import { makeTestDir, startTestServer, type TestServer } from '../../test/startTestServer.ts'
import { openProjects } from '../projects/openProjects.ts'
import { addProject } from '../projects/projects.ts'

const chainId = 'eip155:31337'
const account = `0x${'a1'.repeat(20)}`
const log = pino({ level: 'silent' })
const ends: (() => unknown)[] = []
let proxy: Awaited<ReturnType<typeof startProxy>>
let server: TestServer

beforeAll(async () => {
  const dir = await makeTestDir()
  ends.push(() => rm(dir, { recursive: true, force: true }))
  const upstream = await startUpstream(honest(31337, { eth_blockNumber: '0x10' }))
  const inbox = await startInbox({ smtpPort: 0, port: 0 })
  ends.push(upstream.stop, inbox.stop)
  proxy = await startProxy(new URL(await makeDatabase()))
  ends.push(proxy.stop)
  const chainsFile = join(dir, 'chains.json')
  await mkdir(dir, { recursive: true })
  await writeFile(chainsFile, JSON.stringify({ chains: { [chainId]: chainWith([upstream.url]) } }))
  server = await startTestServer({
    DATABASE_URL: proxy.url,
    DATABASE_TIMEOUT_SECONDS: '2',
    CHAINS_FILE: chainsFile,
    SMTP_URL: inbox.smtpUrl,
    RELAY_AUDIENCES: testAudience,
    RATE_LIMIT_BURST: '100000',
    TRUST_PROXY: '1',
  })
  ends.push(server.stop)
  const { db } = server.services
  await addProject(db, { id: 'shop', name: 'Shop', allowedOrigins: ['https://shop.example'] })
})
afterAll(async () => {
  await proxy?.fail('pass')
  for (const end of ends.reverse()) await end()
})

const ask = async (
  path: string,
  {
    method = 'GET',
    body,
    origin = 'https://shop.example',
  }: {
    method?: string
    body?: string
    origin?: string
  } = {},
) => {
  const startedAtMs = performance.now()
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { origin },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return {
    status: response.status,
    text,
    headers: response.headers,
    ms: performance.now() - startedAtMs,
  }
}
const query = `projectId=shop&chainId=${chainId}`
const rpc = (origin?: string, projectId = 'shop') =>
  ask(`/v1?projectId=${projectId}&chainId=${chainId}`, {
    method: 'POST',
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
    ...(origin && { origin }),
  })
const history = () => ask(`/v1/account/${account}/history?${query}`)

beforeEach(async () => {
  await proxy.fail('pass')
  // Requests that were lost in the meantime may make the first ones fail.
  await expect.poll(async () => (await history()).status).toBe(200)
})

const modes: readonly ProxyMode[] = ['hang', 'mute', 'refuse', 'reset']

test.each(modes)(
  'error: %s: what needs no database goes on, and knows the projects',
  async (mode) => {
    await proxy.fail(mode)
    for (let round = 0; round < 2; round += 1) {
      expect(await rpc()).toMatchObject({ status: 200, text: expect.stringContaining('"0x10"') })
      expect((await rpc('https://evil.example')).status).toBe(403)
      expect((await rpc(undefined, 'nobody')).status).toBe(401)
      expect((await ask(`/getWallets?projectId=shop&page=1&entries=1`)).status).toBe(200)
      const price = {
        projectId: 'shop',
        currency: 'usd',
        addresses: [`${chainId}:0x${'ee'.repeat(20)}`],
      }
      const priced = await ask('/v1/fungible/price', {
        method: 'POST',
        body: JSON.stringify(price),
      })
      expect(priced.status).toBe(200)
    }
    const options = { origin: 'https://shop.example' }
    const identity = createIdentity()
    const relay = { identity, query: { projectId: 'shop' }, options }
    const client = await openRelaySocket(server.url, relay)
    expect(await client.call('irn_subscribe', { topic: 'ab'.repeat(32) })).toMatch(/^[0-9a-f]{64}$/)
    client.socket.terminate()
    expect((await refusalOf(server.url, { ...relay, query: { projectId: 'nobody' } })).status).toBe(
      401,
    )
  },
)

test.each(modes)(
  'error: %s: what needs the database answers 503 with Retry-After, and works again after it',
  async (mode) => {
    const browser = await createAuthClient(server)
    await browser.call('/api/nonce', {})
    await proxy.fail(mode)
    const [page, ready, login] = await Promise.all([
      history(),
      ask('/ready'),
      browser.call('/api/login', {
        purpose: 'login',
        email: 'ada@example.com',
        projectId: 'shop',
        origin: 'https://shop.example',
      }),
    ])
    expect(page.status).toBe(503)
    expect(JSON.parse(page.text)).toEqual({
      status: 'FAILED',
      reasons: [
        {
          field: 'database_unavailable',
          description: expect.stringContaining('database does not respond'),
        },
      ],
    })
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
    // 3 s in practice; the rest is a margin for a busy machine.
    expect(page.ms).toBeLessThan(10_000)
    expect(ready.status).toBe(503)
    expect(login).toMatchObject({ status: 503, code: 'DATABASE_UNAVAILABLE' })
    expect(login.headers.get('retry-after')).toBe('2')
    await proxy.fail('pass')
    await expect.poll(async () => (await history()).status).toBe(200)
  },
)

test('error: many at once do not wait for each other while the database hangs', async () => {
  await proxy.fail('hang')
  const startedAtMs = performance.now()
  const pages = await Promise.all(Array.from({ length: 100 }, history))
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([503]))
  expect(performance.now() - startedAtMs).toBeLessThan(15_000)
})

test('error: a table that is locked fails its requests alone', async () => {
  const { db } = server.services
  let unlock = () => {}
  const held = new Promise<void>((resolve) => {
    unlock = resolve
  })
  let lock: Promise<void> | undefined
  await new Promise<void>((resolve) => {
    lock = db.transaction().execute(async (transaction) => {
      await sql`lock table activity_accounts in access exclusive mode`.execute(transaction)
      resolve()
      await held
    })
  })
  expect((await history()).status).toBe(503)
  // A stall of this machine counts against the two seconds of a query.
  await expect.poll(async () => (await ask('/ready')).status).toBe(200)
  unlock()
  await lock
})

test('param: projects: read again after two seconds; without a database valid for ten minutes', async () => {
  const { db } = server.services
  let nowMs = 0
  const projects = openProjects({ db, log, now: () => nowMs })
  const ids = async () => [...(await projects.read()).keys()]
  expect(await ids()).toEqual(['shop'])
  await addProject(db, { id: 'late', name: 'Late', allowedOrigins: [] })
  nowMs += 2_000
  await expect.poll(async () => (await ids()).sort()).toEqual(['late', 'shop'])
  await db.deleteFrom('projects').where('id', '=', 'late').execute()
  nowMs += 2_000
  await expect.poll(ids).toEqual(['shop'])
  await proxy.fail('refuse')
  nowMs += 599_999
  expect(await ids()).toEqual(['shop'])
  nowMs += 1
  await expect(ids()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  await proxy.fail('pass')
  await expect.poll(() => ids().catch(() => [])).toEqual(['shop'])
})
