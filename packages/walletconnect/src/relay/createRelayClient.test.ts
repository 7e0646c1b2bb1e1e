import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import {
  aWhile,
  codeOf,
  getTopic,
  sent,
  setUp,
  topic,
  until,
  useRelayClock,
} from '../../test/relayClient.ts'
import { agree } from '../../test/scriptedRelay.ts'

useRelayClock()

test('default', async () => {
  const { server, relay, messages, statuses } = await setUp()
  await aWhile()
  expect(server.urls).toEqual([])
  await relay.subscribe([topic])
  await relay.publish(sent)
  server.push('1234567890', { topic, message: 'hello', publishedAt: 5, tag: 1109 })
  await until(() => server.answers().length === 1)
  expect(messages).toEqual([{ topic, message: 'hello', publishedAtMs: 5, tag: 1109 }])
  expect(statuses.map(({ status }) => status)).toEqual(['connecting', 'connected'])
  expect(server.heard.map(({ text }) => text.replace(/17\d{14}/, 'ID'))).toEqual([
    `{"id":ID,"jsonrpc":"2.0","method":"irn_batchSubscribe","params":{"topics":["${topic}"]}}`,
    `{"id":ID,"jsonrpc":"2.0","method":"irn_publish","params":{"topic":"${topic}","message":"envelope","ttl":300,"tag":1108,"prompt":true}}`,
    '{"id":1234567890,"jsonrpc":"2.0","result":true}',
  ])
})

test('behavior: repeats a request unchanged, then gives up', async () => {
  const { server, relay } = await setUp()
  await relay.subscribe([topic])
  server.on.request = ({ method }) => (method === 'irn_batchSubscribe' ? { result: [] } : undefined)
  const outcome = codeOf(relay.publish(sent))
  for (let tries = 1; tries <= 12; tries++) {
    await until(() => server.requests('irn_publish').length === tries)
    // The client receives something, so the socket is alive.
    server.push(`${tries}`, { topic, message: `${tries}` })
    await until(() => server.answers().length === tries)
    await vi.advanceTimersByTimeAsync(5_000)
  }
  expect(await outcome).toBe('RELAY_UNREACHABLE')
  const texts = server.requests('irn_publish').map(({ text }) => text)
  expect(new Set(texts).size).toBe(1)
  expect(server.urls).toHaveLength(1)
})

test('behavior: a socket is lost while publishing', async () => {
  const { server, relay, statuses } = await setUp()
  const call = { method: 'wc_proposeSession', params: {}, topic: getTopic('b') }
  await relay.subscribe([topic])
  await relay.call(call)
  server.on.request = (heard) => {
    if (heard.socket === 0) server.sockets[0]?.terminate()
    return heard.socket === 0 ? undefined : agree(heard)
  }
  const published = relay.publish(sent)
  await until(() => statuses.at(-1)?.status === 'waiting')
  expect(server.requests('irn_publish')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(100)
  await published
  const [first, second] = server.requests('irn_publish')
  expect(second?.text).toBe(first?.text)
  expect(server.heard.filter(({ socket }) => socket === 1)).toMatchObject([
    { method: 'irn_batchSubscribe', params: { topics: [topic, getTopic('b')] } },
    { method: 'irn_publish' },
  ])
})

test('error: permanent refusals of the relay, and refusals that may succeed later', async () => {
  const { server, relay } = await setUp()
  const say = (code: number, message: string, data?: string) => {
    server.on.request = () => ({ error: { code, message, ...(data && { data }) } })
  }
  say(-32600, 'Payload size limit exceeded', 'PayloadSizeExceeded')
  await expect(relay.publish(sent)).rejects.toThrow('refused: Payload size limit exceeded')
  say(-32000, 'The ttl is too long', 'TtlTooLong')
  expect(await codeOf(relay.publish(sent))).toBe('RELAY_REFUSED')
  say(-32601, 'no')
  const call = { method: 'wc_proposeSession', params: {}, topic }
  await expect(relay.call(call)).rejects.toThrow(
    'The method wc_proposeSession does not exist or is not available',
  )
  server.on.request = () => ({ result: false })
  expect(await codeOf(relay.publish(sent))).toBe('RELAY_REFUSED')
  for (const code of [3001, -32000, -32603]) {
    say(code, 'later')
    const published = relay.publish({ ...sent, message: `${code}` })
    await until(() => server.heard.at(-1)?.params?.message === `${code}`)
    await aWhile()
    server.on.request = agree
    await vi.advanceTimersByTimeAsync(5_000)
    await published
  }
})

test('error: a relay that fails for a minute counts as unreachable, not as a refusal', async () => {
  const { server, relay } = await setUp()
  server.on.request = () => ({ error: { code: 3001, message: 'Too many requests' } })
  const outcome = relay.publish(sent).catch((error) => error)
  for (let tries = 1; tries <= 12; tries++) {
    await until(() => server.requests('irn_publish').length === tries)
    await aWhile()
    await vi.advanceTimersByTimeAsync(5_000)
  }
  expect(await outcome).toMatchObject({
    code: 'RELAY_UNREACHABLE',
    cause: { code: 'RELAY_REFUSED', data: { reason: 'Too many requests' } },
  })
})

test('behavior: subscribes again and again to a relay that fails for minutes, until it accepts the topics', async () => {
  const { server, relay } = await setUp()
  const asked = () => server.requests('irn_batchSubscribe')
  const fail = () => ({ error: { code: -32000, message: 'later', data: 'SubscribeFailed' } })
  // The relay keeps responding, so the socket is alive.
  const pass = async (times: number) => {
    for (let tries = 0; tries < times; tries++) {
      const before = asked().length
      await vi.advanceTimersByTimeAsync(5_000)
      await until(() => asked().length > before)
      await aWhile()
    }
  }
  server.on.request = fail
  const outcome = codeOf(relay.subscribe([topic]))
  await until(() => asked().length === 1)
  await pass(26)
  expect(await outcome).toBe('RELAY_UNREACHABLE')
  server.on.request = agree
  await pass(1)
  const count = asked().length
  await vi.advanceTimersByTimeAsync(20_000)
  await aWhile()
  expect(asked()).toHaveLength(count)

  server.on.request = fail
  server.sockets[0]?.terminate()
  await until(() => relay.status().status === 'waiting')
  await vi.advanceTimersByTimeAsync(100)
  await until(() => asked().length > count)
  await pass(14)
  expect(server.urls).toHaveLength(2)
})

test('behavior: one topic that is refused takes no other along', async () => {
  const { server, relay, statuses } = await setUp()
  server.on.request = (heard) =>
    JSON.stringify(heard.params).includes('short')
      ? { error: { code: -32600, message: 'no', data: 'InvalidTopic' } }
      : agree(heard)
  const good = ['a', 'b', 'c', 'd'].map(getTopic)
  expect(await codeOf(relay.subscribe([...good.slice(0, 3), 'short', ...good.slice(3)]))).toBe(
    'RELAY_REFUSED',
  )
  expect([...relay.topics]).toEqual(good)
  server.sockets[0]?.terminate()
  await until(() => statuses.at(-1)?.status === 'waiting')
  await vi.advanceTimersByTimeAsync(100)
  await until(() => relay.status().status === 'connected')
  expect(server.heard.at(-1)?.params).toEqual({ topics: good })
})

test('behavior: a refused topic is not subscribed again', async () => {
  const { server, relay, statuses } = await setUp()
  server.on.request = () => ({ error: { code: -32601, message: 'no' } })
  const call = { method: 'wc_proposeSession', params: {}, topic: getTopic('b') }
  expect(await codeOf(relay.call(call))).toBe('METHOD_NOT_FOUND')
  server.on.request = () => ({ error: { code: -32600, message: 'no' } })
  expect(await codeOf(relay.subscribe(['short']))).toBe('RELAY_REFUSED')
  server.on.request = agree
  await relay.subscribe([topic])
  server.sockets[0]?.terminate()
  await until(() => statuses.at(-1)?.status === 'waiting')
  await vi.advanceTimersByTimeAsync(100)
  await until(() => relay.status().status === 'connected')
  expect(server.heard.at(-1)?.params).toEqual({ topics: [topic] })
})

test('behavior: an abort, and the end', async () => {
  const { server, relay } = await setUp()
  server.on.request = () => undefined
  const gone = AbortSignal.abort()
  expect(await codeOf(relay.publish({ ...sent, signal: gone }))).toBe('ABORTED')
  const controller = new AbortController()
  const aborted = codeOf(relay.publish({ ...sent, signal: controller.signal }))
  const subscribed = codeOf(relay.subscribe([topic]))
  controller.abort()
  expect(await aborted).toBe('ABORTED')
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  await until(() => server.requests('irn_batchSubscribe').length === 1)
  relay.close()
  expect(await subscribed).toBe('ABORTED')
  expect(await codeOf(relay.publish(sent))).toBe('ABORTED')
  await vi.advanceTimersByTimeAsync(60_000)
  await aWhile()
  expect(server.urls).toHaveLength(1)
  expect(server.requests('irn_publish')).toEqual([])
})

test('behavior: subscribes to topics in batches, without unsubscribed topics', async () => {
  const { server, relay, statuses } = await setUp()
  const topics = Array.from({ length: 1001 }, (_, at) => at.toString(16).padStart(64, '0'))
  await relay.subscribe(topics)
  const sizes = () =>
    server.requests('irn_batchSubscribe').map(({ params = {} }) => Object(params.topics).length)
  expect(sizes()).toEqual([500, 500, 1])
  await relay.unsubscribe(topics.slice(2))
  const [batch] = server.requests('irn_batchUnsubscribe')
  expect(batch?.params?.subscriptions).toHaveLength(500)
  server.sockets[0]?.terminate()
  await until(() => statuses.at(-1)?.status === 'waiting')
  await relay.unsubscribe(topics.slice(1))
  await vi.advanceTimersByTimeAsync(100)
  await until(() => relay.status().status === 'connected')
  expect(sizes()).toEqual([500, 500, 1, 1])
})
