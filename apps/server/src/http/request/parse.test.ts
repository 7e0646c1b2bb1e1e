import { once } from 'node:events'
import * as wire from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod'
import { foreign, makeSample, shapeOf, vary } from '../../../test/http/wrongInputs.ts'
import { startSessions, type TestSessions } from '../../../test/startSessions.ts'
import { describeIssue } from './describeIssue.ts'

const isRoute = (value: unknown): value is wire.Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

const event = z.object({ eventId: z.string(), props: z.object({ type: z.string() }) })
const result = z.object({})
const wireRoutes = Object.values(wire as Readonly<Record<string, unknown>>).filter(isRoute)
/** The routes of the API, without the routes of the frame's origin. */
const routes: readonly wire.Route[] = [
  ...wireRoutes.filter(({ path }) => !path.startsWith('/api/')),
  { method: 'POST', path: '/e', body: event as never, result: result as never },
  { method: 'POST', path: '/batch', body: z.array(event) as never, result: result as never },
  {
    method: 'POST',
    path: '/v1/names',
    body: z.object({ sender: z.string(), data: z.string() }) as never,
    result: result as never,
  },
]

const holder = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const parts: Readonly<Record<string, string>> = {
  chainId: 'eip155:31337',
  contract: holder,
  tokenId: '1',
  name: 'alice.latchkey.id',
  id: '1c1f9d0e-7d3e-4f7a-9a94-0e6f0f9a2b11',
}
const pathOf = ({ path }: wire.Route) =>
  path
    .replace('/sessions/:address', `/sessions/eip155:31337:${holder}`)
    .replace(/:(\w+)/g, (_, name: string) => parts[name] ?? holder)

let running: TestSessions
let url = ''
beforeAll(async () => {
  running = await startSessions({ env: { ANALYTICS: 'log', RATE_LIMIT_PER_SECOND: '100000' } })
  url = running.server.url
})
afterAll(() => running?.stop())

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${path}`, init)
  const text = await response.text()
  return { status: response.status, text }
}
const reasonOf = ({ text }: { text: string }) =>
  (JSON.parse(text) as { reasons: { field: string; description: string }[] }).reasons[0]

test('behavior: no answer of any route contains words of the schema library', async () => {
  const bad: string[] = []
  const check = (what: string, { status, text }: { status: number; text: string }) => {
    expect(status, what).not.toBe(500)
    if (status >= 400 && foreign.test(text)) bad.push(`${what}: ${text.slice(0, 300)}`)
  }
  for (const route of routes) {
    const path = `${pathOf(route)}?projectId=local`
    const query = Object.keys(shapeOf(route.query).properties ?? {}).filter(
      (n) => n !== 'projectId',
    )
    for (const name of query)
      for (const value of ['', 'x', '1.5', 'y'.repeat(3_000)])
        check(`${path} ${name}`, await ask(`${path}&${name}=${value}`, { method: route.method }))
    check(path, await ask(path, { method: route.method }))
    if (!route.body) continue
    const sent = new Set(
      Array.from(vary(makeSample(shapeOf(route.body))), (one) => JSON.stringify(one)),
    )
    const answers = Array.from(sent, async (body) => {
      check(`${path} ${body.slice(0, 200)}`, await ask(path, { method: 'POST', body }))
    })
    await Promise.all(answers)
  }
  expect(bad).toEqual([])
}, 120_000)

test('behavior: each refusal by a schema describes the expected value or reports a missing field', () => {
  const bad: string[] = []
  const ofFrame = wireRoutes.filter(({ path }) => path.startsWith('/api/'))
  expect(ofFrame.length).toBeGreaterThan(70)
  for (const route of [...routes, ...ofFrame])
    for (const schema of [route.body, route.query])
      for (const value of schema ? vary(makeSample(shapeOf(schema))) : []) {
        const parsed = z.safeParse(schema as never, value, {
          error: (issue) => describeIssue(issue, 'body'),
        })
        for (const { message, path } of parsed.error?.issues ?? [])
          if (foreign.test(message) || !/ must |is empty/.test(message))
            bad.push(`${route.path} ${path.join('.')}: ${message}`)
      }
  expect([...new Set(bad)]).toEqual([])
  const describe = (schema: z.ZodType, value: unknown) =>
    schema.safeParse(value, { error: (issue) => describeIssue(issue, 'body') }).error?.issues[0]
      ?.message
  const period = z.object({ period: z.enum(['day', 'week']) })
  expect(describe(period, {})).toBe('period is missing: it must be one of "day", "week"')
  expect(describe(period, { period: 'x' })).toBe('period must be one of "day", "week"')
  expect(describe(period, [])).toBe('body must be a JSON object, such as {"name": "abc"}')
  const kinds = z.object({
    one: z.discriminatedUnion('type', [z.object({ type: z.literal('a') })]),
  })
  expect(describe(kinds, { one: {} })).toBe('one.type is missing: it must be "a"')
  expect(describe(kinds, { one: { type: 'constructor' } })).toBe('one.type must be "a"')
  expect(describe(z.object({ constructor: z.string() }), { constructor: 1 })).toBe(
    'constructor must be a string, such as "abc"',
  )
  expect(describe(z.object({ a: z.union([z.string(), z.number()]) }), { a: [] })).toBe(
    'a must be a string, such as "abc" or a number, such as 1',
  )
  expect(describe(z.object({ currency: z.string().max(2) }), { currency: 'usd' })).toBe(
    'currency must have at most 2 characters, such as "usd"',
  )
})

test('behavior: x-project-id alone names the project on every route, and on WebSockets', async () => {
  for (const route of routes) {
    const path = pathOf(route)
    const sample = JSON.stringify(makeSample(shapeOf(route.body)))
    const { projectId: _, ...others } = Object(JSON.parse(sample ?? '{}')) as Record<
      string,
      unknown
    >
    const body = Array.isArray(makeSample(shapeOf(route.body))) ? sample : JSON.stringify(others)
    const query = Object.keys(shapeOf(route.query).properties ?? {})
      .filter((name) => name !== 'projectId')
      .map((name) => `${name}=${name === 'chainId' ? 'eip155:31337' : '1'}`)
      .join('&')
    const init = { method: route.method, ...(route.method === 'POST' && { body }) }
    const byHeader = await ask(`${path}?${query}`, {
      ...init,
      headers: { 'x-project-id': 'local' },
    })
    const byQuery = await ask(`${path}?${query}&projectId=local`, init)
    expect([route.path, byHeader.status]).toEqual([route.path, byQuery.status])
    if (byHeader.status >= 400) expect(byHeader.text).not.toContain('projectId')
  }
  const socketUrl = `${url.replace('http', 'ws')}${wire.activityEventsPath}?chainId=eip155:31337&address=${holder}`
  const socket = new WebSocket(socketUrl, { headers: { 'x-project-id': 'local' } })
  await once(socket, 'open')
  socket.close()
})

test('error: a body that cannot be read is called that, wherever the project is named', async () => {
  for (const path of ['/v1/fungible/price', '/v1/convert/build-transaction', '/e', '/v1'])
    for (const [body, text] of [
      ['{bad', 'The request body is not valid JSON'],
      ['[]', 'not a JSON object'],
      ['null', 'not a JSON object'],
      ['1', 'not a JSON object'],
      ['', 'not a JSON object'],
    ] as const) {
      const answer = await ask(path, { method: 'POST', body })
      expect([answer.status, reasonOf(answer)?.field]).toEqual([400, 'body'])
      expect(reasonOf(answer)?.description).toContain(text)
    }
  const headers = { 'content-encoding': 'gzip' }
  for (const path of ['/v1/fungible/price', '/v1/fungible/price?projectId=local']) {
    const answer = await ask(path, { method: 'POST', body: '\x1f\x8b', headers })
    expect([answer.status, reasonOf(answer)?.field]).toEqual([415, 'content-encoding'])
  }
  const wrong = await ask('/v1/fungible/price', { method: 'POST', body: '{"projectId":1}' })
  expect(reasonOf(wrong)).toEqual({
    field: 'projectId',
    description: 'projectId must be a string, such as "shop"',
  })
})

test('error: a body with a wrong shape is 422, or 400 for the checkout, whose clients expect that', async () => {
  const body = '{"partner":"x","someWallets":[]}'
  const checkout = await ask('/v1/generators/onrampurl?projectId=local', { method: 'POST', body })
  expect([checkout.status, reasonOf(checkout)?.field]).toEqual([400, 'destinationWallets'])
  const quote = await ask('/v1/onramp/quote?projectId=local', { method: 'POST', body })
  expect([quote.status, reasonOf(quote)?.field]).toEqual([422, 'purchaseCurrency'])
})

test('error: a body of too many levels is refused before it is parsed', async () => {
  const paths = routes.filter(({ body }) => body).map((route) => pathOf(route))
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  for (const path of paths) {
    const body = `{"projectId":"local","a":${nested(200_000)}}`
    const answer = await ask(path, { method: 'POST', body })
    expect([path, answer.status]).toEqual([path, 400])
    expect(reasonOf(answer)?.description).toContain('more than 64 levels')
    const named = await ask(`${path}?projectId=local`, { method: 'POST', body })
    expect([path, named.status]).toEqual([path, 400])
  }
  const call = (levels: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${nested(levels)}}`
  for (const path of ['/v1', '/v1/bundler', '/v1/wallet'])
    for (const levels of [64, 200_000]) {
      const url = `${path}?projectId=local&chainId=eip155:31337`
      const answer = await ask(url, { method: 'POST', body: call(levels) })
      expect([path, answer.status]).toEqual([path, 400])
      expect(answer.text).toMatch(/-32700|-32600/)
    }
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/v1?projectId=local&chainId=eip155:31337`,
  )
  await once(socket, 'open')
  socket.send(call(200_000))
  const [message] = await once(socket, 'message')
  expect(String(message)).toMatch(/-32700|-32600/)
  socket.close()
})
