import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { heldActivity } from '../../test/heldActivity.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { openBalanceSources } from '../balance/openBalanceSources.ts'
import { balanceRoutes } from '../balance/routes.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import { authorize } from '../projects/authorize.ts'
import { requireProject } from '../projects/requireProject.ts'
import type { Services } from '../services.ts'
import { limitRate } from './limitRate.ts'
import { limitResponseMemory } from './limitResponseMemory.ts'
import { observe } from './observe.ts'
import { createResponseCache, type ResponseCache } from './responseCache.ts'

const owner = '0x00000000000000000000000000000000000000a1'
const path = (more = '') =>
  `/v1/account/${owner}/balance?projectId=shop&chainId=eip155:1&currency=usd${more}`

test('default: asked again, the answer is the same without the framework', async () => {
  const { get, framework } = await start()
  const first = await get()
  expect([first.status, first.amount]).toEqual([200, '0.000000000000000001'])
  for (let asking = 0; asking < 3; asking++) {
    const again = await get()
    expect({ ...again, id: '' }).toEqual({ ...first, id: '' })
    expect(again.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(again.id).not.toBe(first.id)
  }
  expect(framework()).toBe(1)
})

test('behavior: each is logged and counted as any other', async () => {
  const { get, lines, metrics } = await start()
  for (let asking = 0; asking < 3; asking++) await get()
  const [framework, ...cached] = lines().filter(({ msg }) => msg === 'request')
  expect(cached.length).toBe(2)
  for (const line of cached)
    expect(line).toEqual({
      ...framework,
      time: line.time,
      requestId: line.requestId,
      durationMs: line.durationMs,
    })
  expect(JSON.stringify(lines())).not.toContain(owner)
  expect(await metrics.registry.metrics()).toContain(
    'count{method="GET",route="/v1/account/:address/balance",status="200"} 3',
  )
})

test('behavior: what changed is seen at once: news of the account, a forced update, the end of its seconds', async () => {
  const { get, hold, tell, now } = await start()
  const amount = async (more = '') => Number((await get(more)).amount) * 1e18
  expect([await amount(), await amount()]).toEqual([1, 1])
  hold(2)
  expect(await amount()).toBe(1)
  tell('eip155:1', 'changed')
  expect([await amount(), await amount()]).toEqual([2, 2])
  hold(3)
  expect(await amount(`&forceUpdate=eip155:1:0x${'ee'.repeat(20)}`)).toBe(3)
  expect([await amount(), await amount()]).toEqual([3, 3])
  hold(4)
  now.ms += 11_000
  expect([await amount(), await amount()]).toEqual([4, 4])
})

test('error: unknown projects, foreign origins and foreign providers are refused from the cache too', async () => {
  const { get, projects } = await start()
  for (let asking = 0; asking < 2; asking++) expect((await get()).status).toBe(200)
  expect((await get('', { origin: 'https://shop.example' })).status).toBe(200)
  expect((await get('', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await get('&providerId=nobody')).status).toBe(401)
  projects.delete('shop')
  expect((await get()).status).toBe(401)
})

test('error: a client that asks too often is refused, cached or not', async () => {
  const { get } = await start({ capacity: 3, refillPerSecond: 1 })
  const statuses: number[] = []
  for (let asking = 0; asking < 5; asking++) statuses.push((await get()).status)
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

test('behavior: failures and other methods are never cached', async () => {
  const { get, framework, url } = await start()
  for (let asking = 0; asking < 2; asking++) expect((await get('&forceUpdate=x')).status).toBe(400)
  expect(framework()).toBe(2)
  await get()
  const head = await fetch(`${url}${path()}`, { method: 'HEAD' })
  expect([head.status, framework()]).toEqual([200, 4])
})

test('behavior: the headers of every response are there, once, and the answer is in the bytes it has now', async () => {
  let text = '{"is":"one"}'
  const { url } = await startRoute((c, cache) => {
    cache.keep(c, () => text, { 'cache-control': 'no-store', 'x-frame-options': 'SAMEORIGIN' })
    return c.text('the framework')
  })
  expect(await (await fetch(url)).text()).toBe('the framework')
  for (const now of ['{"is":"one"}', '{"is":"two"}', '{"is":"drei – vier"}']) {
    text = now
    const response = await fetch(url)
    expect(await response.text()).toBe(now)
    const { 'x-request-id': id, date, ...headers } = Object.fromEntries(response.headers)
    expect([id, date]).not.toContain(undefined)
    expect(headers).toEqual({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(now)),
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    })
  }
})

test('behavior: bytes that a client does not read count for it until it disconnects', async () => {
  const size = 8 * 1024 * 1024
  const { url, responseMemory } = await startRoute((c, cache) => {
    cache.keep(c, () => 'x'.repeat(size))
    return c.text('the framework')
  })
  await (await fetch(url)).text()
  expect((await (await fetch(url)).text()).length).toBe(size)
  await expect.poll(() => responseMemory.held()).toBe(0)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  await expect.poll(() => responseMemory.held('127.0.0.1')).toBeGreaterThanOrEqual(size)
  socket.destroy()
  await expect.poll(() => responseMemory.held()).toBe(0)
})

test('error: responses that wait behind another are released when their connection ends', async () => {
  const size = 1024 * 1024
  const { url, responseMemory } = await startRoute((c, cache) => {
    cache.keep(c, () => 'x'.repeat(size))
    return c.text('x'.repeat(size))
  })
  await (await fetch(url)).text()
  for (const paths of [
    ['/', '/', '/', '/', '/', '/', '/', '/'],
    ['/?1', '/?2', '/?3', '/?4', '/?5', '/?6', '/?7', '/?8'],
  ]) {
    await expect.poll(() => responseMemory.held()).toBe(0)
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`).join(''))
    await expect.poll(() => responseMemory.held()).toBeGreaterThan(size)
    socket.destroy()
    await expect.poll(() => responseMemory.held()).toBe(0)
  }
})

test('error: an answer there is no room for takes no turn of the rate', async () => {
  const { url, responseMemory } = await startRoute(
    (c, cache) => {
      cache.keep(c, () => '{}')
      return c.text('the framework')
    },
    { capacity: 1, refillPerSecond: 0.001 },
  )
  await (await fetch(url)).text()
  const all = responseMemory.open(undefined, 1.25 * makeServices({}).config.answerBytes.total)
  for (let asking = 0; asking < 3; asking++) expect((await fetch(url)).status).toBe(503)
  all?.release()
  expect(await (await fetch(url)).text()).toBe('{}')
})

test('error: a client that goes away while its answer is read has taken its turn', async () => {
  let read = async () => '{}'
  const { url, cache } = await startRoute(
    (c, cache) => {
      cache.keep(c, () => read())
      return c.text('the framework')
    },
    { capacity: 1, refillPerSecond: 0.001 },
  )
  await (await fetch(url)).text()
  let end = () => {}
  read = () =>
    new Promise((resolve) => {
      end = () => resolve('{}')
    })
  const socket = new Socket()
  // In Node, the address of a connection that ended is unknown unless it was read before.
  const address = vi.spyOn(socket, 'remoteAddress', 'get').mockReturnValue('127.0.0.1')
  const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/' })
  const answered = cache.answer(request, new ServerResponse(request))
  address.mockReturnValue(undefined)
  socket.destroy()
  end()
  expect(await answered).toBe(true)
  read = async () => '{}'
  expect(await (await fetch(url)).text()).toBe('the framework')
})

/** One open route at `/`, whose only limits are the limits of the answer memory. */
async function startRoute(
  answer: (c: Context, cache: ResponseCache) => Response,
  rateLimit?: Services['config']['rateLimit'],
) {
  const base = makeServices({})
  const config = { ...base.config, ...(rateLimit && { rateLimit }) }
  const cache = createResponseCache({
    ...base,
    config,
    authorize: () => undefined,
    headers: { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
  })
  const app = new Hono()
  app.use(limitResponseMemory(base))
  app.get('/', (c) => answer(c, cache))
  return { url: `${await listen(app, cache)}/`, responseMemory: base.responseMemory, cache }
}

async function listen(app: Hono, cache: ResponseCache): Promise<string> {
  const listener = getRequestListener(app.fetch)
  const server = createServer(async (request, response) => {
    if (!(await cache.answer(request, response))) await listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function start(rateLimit?: Services['config']['rateLimit']) {
  const results: Record<string, unknown> = { eth_getBalance: '0x1' }
  const node = await startUpstream(honest(1, results))
  onTestFinished(node.stop)
  const now = { ms: 1_000_000 }
  const written: string[] = []
  const base = makeServices({ 'eip155:1': chainWith([node.url]) }, () => now.ms)
  const config = { ...base.config, ...(rateLimit && { rateLimit }) }
  const projects = new Map<string, string[]>([
    ['shop', ['https://shop.example']],
    ['other', []],
  ])
  const services = {
    ...base,
    config,
    projects: { read: async () => projects, isHost: () => false },
    log: pino({ base: null }, { write: (line: string) => void written.push(line) }),
  }
  const { activity, tell } = heldActivity([])
  const ways = {
    upstreams: createUpstreams(services),
    outbound: createOutbound(services),
    activity,
  }
  const cache = createResponseCache({
    ...services,
    authorize: (caller) => authorize(services, caller),
    headers: { 'x-content-type-options': 'nosniff' },
  })
  const app = new Hono()
  let calls = 0
  app.use((_, next) => {
    calls++
    return next()
  })
  app.use(observe(services), limitRate(services), requireProject(services))
  app.route('/', balanceRoutes({ ...openBalanceSources(services, ways), responseCache: cache }))
  const url = await listen(app, cache)
  const get = async (more = '', headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path(more)}`, { headers })
    const text = await response.text()
    const { balances } = (response.ok ? JSON.parse(text) : {}) as {
      balances?: { quantity: { numeric: string } }[]
    }
    return {
      status: response.status,
      text,
      amount: balances?.[0]?.quantity.numeric,
      id: response.headers.get('x-request-id') ?? '',
      type: response.headers.get('content-type'),
      length: response.headers.get('content-length'),
    }
  }
  return {
    get,
    url,
    tell,
    now,
    projects,
    metrics: services.metrics,
    framework: () => calls,
    hold(wei: number) {
      results.eth_getBalance = `0x${wei.toString(16)}`
    },
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}
