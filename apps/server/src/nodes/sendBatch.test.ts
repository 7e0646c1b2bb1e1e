import type { ServerResponse } from 'node:http'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { createUpstreams } from './upstreams.ts'

const chainId = 'eip155:5'
type Handler = Parameters<typeof startUpstream>[0]
type Refuse = (response: ServerResponse, calls: Parameters<Handler>[1]) => void

/**
 * The upstreams of a chain whose only node answers batches of at most `max` calls. `sizes` are the
 * sizes of all requests.
 */
async function open(max: number, refuse: Refuse, batch?: number) {
  const sizes: number[] = []
  const node = await startUpstream((response, calls, request) => {
    if (calls[0]?.method !== 'eth_chainId') sizes.push(calls.length)
    if (calls.length > max) return refuse(response, calls)
    const results = { eth_call: ([number]: [number]) => `0x${number}` }
    honest(5, results)(response, calls, request)
  })
  onTestFinished(node.stop)
  const clock = { nowMs: 0 }
  const chain = { ...chainWith([node.url]), ...(batch && { batch }) }
  const services = makeServices({ [chainId]: chain }, () => clock.nowMs)
  const upstreams = createUpstreams({ ...services, log: pino({ level: 'silent' }) })
  const toCall = (_: unknown, index: number) => ({ method: 'eth_call', params: `[${index}]` })
  const ask = (count: number) => upstreams.request(chainId, Array.from({ length: count }, toCall))
  const read = (count: number) => upstreams.read(chainId, Array.from({ length: count }, toCall))
  return { upstreams, ask, read, sizes, clock, services }
}

const results = (count: number, quote = '"') => ({
  replies: Array.from({ length: count }, (_, index) => ({ result: `${quote}0x${index}${quote}` })),
})
const end = (response: ServerResponse, body: unknown, status = 200) =>
  void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
const whole =
  (code: number, message: string, status?: number): Refuse =>
  (response) =>
    end(response, { jsonrpc: '2.0', id: null, error: { code, message } }, status)

const refusals: [string, Refuse][] = [
  ['an error without an id', whole(-32600, 'Invalid Request')],
  [
    'an error with words of a quota',
    whole(-32005, 'Batch of more than 3 requests are not allowed, to use more upgrade your plan'),
  ],
  [
    'an error for the first call alone',
    (response, [first]) =>
      end(response, [{ id: first?.id, error: { code: -32600, message: 'batch too large' } }]),
  ],
  [
    'an error for each call beyond the limit',
    (response, calls) =>
      end(
        response,
        calls.map(({ id, params }, index) =>
          index < 3
            ? { id, result: `0x${params}` }
            : { id, error: { code: -32003, message: 'response too large' } },
        ),
      ),
  ],
  [
    'answers to the first calls alone',
    (response, calls) =>
      end(
        response,
        calls.slice(0, 3).map(({ id, params }) => ({ id, result: `0x${params}` })),
      ),
  ],
  ['an empty list', (response) => end(response, [])],
  ['a text', (response) => end(response, 'no batches here')],
  ['HTTP 400 and a text', (response) => end(response, 'Bad Request', 400)],
  ['HTTP 413 and a page', (response) => end(response, '<html></html>', 413)],
  ['HTTP 403 and words', whole(1, 'Batch requests are disabled', 403)],
  ['HTTP 429 and words', whole(1, 'max batch size is 3', 429)],
  ['HTTP 500 and words', whole(1, 'batch limit exceeded', 500)],
]

test.each(refusals)(
  'behavior: a batch refused by %s is sent again in smaller batches',
  async (_, refuse) => {
    const { ask, read, sizes, services } = await open(3, refuse)
    expect(await ask(8)).toEqual(results(8))
    expect(await read(8)).toEqual(results(8, ''))
    expect(sizes.length).toBeLessThan(20)
    const metrics = await services.metrics.registry.metrics()
    expect(metrics).not.toMatch(/latchkey_upstream_calls_total\{[^}]*outcome="(?!ok)/)
  },
)

test('behavior: the limit is remembered for ten minutes, and the node is not paused', async () => {
  const { ask, sizes, upstreams, clock } = await open(3, whole(-32600, 'batch limit 3 exceeded'))
  for (let round = 0; round < 6; round++) expect(await ask(7)).toEqual(results(7))
  expect(sizes.slice(0, 4)).toEqual([7, 3, 3, 1])
  expect(Math.max(...sizes.slice(4))).toBe(3)
  expect(upstreams.urls(chainId)).toHaveLength(1)
  clock.nowMs += 10 * 60_000
  sizes.length = 0
  await ask(7)
  expect(sizes[0]).toBe(7)
})

test('param: batch, of the chains file', async () => {
  const { ask, sizes } = await open(2, whole(-32600, 'no'), 2)
  expect(await ask(5)).toEqual(results(5))
  expect(sizes.sort()).toEqual([1, 2, 2])
})

test('behavior: a call that the node cannot read gets the error, and does not lower the batch limit', async () => {
  const sizes: number[] = []
  const node = await startUpstream((response, calls, request) => {
    if (calls.some(({ method }) => method === 'bad'))
      return whole(-32600, 'Batch size limit 1 exceeded')(response, calls)
    sizes.push(calls.length)
    honest(5)(response, calls, request)
  })
  onTestFinished(node.stop)
  const upstreams = createUpstreams({
    ...makeServices({ [chainId]: chainWith([node.url]) }),
    log: pino({ level: 'silent' }),
  })
  const good = { method: 'eth_gasPrice', params: '[]' }
  const answer = await upstreams.request(chainId, [good, { method: 'bad', params: '[]' }, good])
  expect(answer).toMatchObject({
    replies: [{ result: expect.any(String) }, { error: expect.stringContaining('limit 1') }, {}],
  })
  sizes.length = 0
  await upstreams.request(chainId, [good, good, good])
  expect(sizes.filter((size) => size > 1)).toEqual([3])
})

test.each([
  ['quota', 429, 'too many requests'],
  ['status', 500, 'Internal error'],
])(
  'error: a batch refused for another reason is the fault "%s"',
  async (fault, status, message) => {
    const { ask, sizes } = await open(1, whole(-32000, message, status))
    expect(await ask(8)).toMatchObject({ fault })
    expect(sizes).toEqual([8])
  },
)
