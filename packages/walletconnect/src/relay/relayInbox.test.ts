import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  aWhile,
  ends,
  getTopic,
  sent,
  setUp,
  startMs,
  topic,
  until,
  useRelayClock,
} from '../../test/relayClient.ts'
import type { RelayFrame } from '../../test/scriptedRelay.ts'

useRelayClock()

test('behavior: acknowledges handled messages, in the order of each topic', async () => {
  const handled: string[] = []
  const gates = new Map<string, (isFine: boolean) => void>()
  const { server, relay } = await setUp({
    onMessage: ({ message }) =>
      new Promise((resolve, reject) => {
        handled.push(message)
        gates.set(message, (isFine) => (isFine ? resolve() : reject(new Error('disk full'))))
      }),
  })
  await relay.subscribe([topic])
  server.push('10', { topic, message: 'one' })
  server.push('11', { topic, message: 'two' })
  server.push('12', { topic: getTopic('b'), message: 'other' })
  server.push('13', { topic, message: 'one' })
  await until(() => handled.length === 2)
  await aWhile()
  expect(handled).toEqual(['one', 'other'])
  expect(server.answers()).toEqual([])
  gates.get('one')?.(true)
  await until(() => handled.length === 3)
  expect(handled).toEqual(['one', 'other', 'two'])
  server.push('15', { topic, message: 'three' })
  await aWhile()
  expect(handled).toHaveLength(3)
  gates.get('two')?.(false)
  await until(() => handled.length === 4)
  gates.get('three')?.(true)
  await until(() => server.answers().length === 3)
  await aWhile()
  expect(server.answers().map(({ id }) => id)).toEqual([10, 13, 15])
  await vi.advanceTimersByTimeAsync(5_000)
  await until(() => server.requests('irn_batchSubscribe').length === 2)
  server.push('14', { topic, message: 'two' })
  await until(() => handled.length === 5)
  gates.get('two')?.(true)
  await until(() => server.answers().length === 4)
  expect(server.answers().at(-1)?.text).toBe('{"id":14,"jsonrpc":"2.0","result":true}')
})

test('behavior: after the end no message is delivered', async () => {
  const { server, relay, handled, finish } = await setUpSlow()
  await relay.subscribe([topic])
  server.push('40', { topic, message: 'one' })
  server.push('41', { topic, message: 'two' })
  await until(() => handled.length === 1)
  relay.close()
  finish()
  await aWhile()
  expect(handled).toEqual(['one'])
  await vi.advanceTimersByTimeAsync(60_000)
  await aWhile()
  expect(server.urls).toHaveLength(1)
  expect(server.requests('irn_batchSubscribe')).toHaveLength(1)
})

/** A client that handles a message only when the test calls `finish`. */
async function setUpSlow() {
  const handled: string[] = []
  let finish = () => {}
  const found = await setUp({
    onMessage({ message }) {
      handled.push(message)
      return new Promise((resolve) => {
        finish = resolve
      })
    },
  })
  return { ...found, handled, finish: () => finish() }
}

test('behavior: ids as they were written, three prefixes, an older relay', async () => {
  const { server, relay, messages } = await setUp()
  await relay.subscribe([topic])
  server.push('1795227042026957824', { topic, message: '1' }, 'iridium')
  server.push('"1795227042026957824"', { topic, message: '2' }, 'waku')
  await until(() => server.answers().length === 2)
  expect(server.answers().map(({ text }) => text)).toEqual([
    '{"id":1795227042026957824,"jsonrpc":"2.0","result":true}',
    '{"id":"1795227042026957824","jsonrpc":"2.0","result":true}',
  ])
  expect(messages[0]).toEqual({ topic, message: '1', tag: 0, publishedAtMs: startMs })
  server.on.request = ({ id }) => {
    server.sockets[0]?.send(`{"id":"${id}","jsonrpc":"2.0","result":true}`)
    return undefined
  }
  await relay.publish(sent)
})

test('behavior: no acknowledgement on another socket', async () => {
  let finish = () => {}
  const { server, relay, statuses } = await setUp({
    onMessage: () => new Promise((resolve) => (finish = resolve)),
  })
  await relay.subscribe([topic])
  server.push('20', { topic, message: 'one' })
  await aWhile()
  server.sockets[0]?.terminate()
  await until(() => statuses.at(-1)?.status === 'waiting')
  await vi.advanceTimersByTimeAsync(100)
  await until(() => relay.status().status === 'connected')
  server.push('21', { topic, message: 'one' })
  await aWhile()
  finish()
  await until(() => server.answers().length === 1)
  await aWhile()
  expect(server.answers()).toMatchObject([{ id: 21, socket: 1 }])
})

test('behavior: no incoming frame breaks the client', async () => {
  const { server, relay, messages } = await setUp()
  await relay.subscribe([topic])
  const broken = vi.fn()
  process.on('uncaughtException', broken)
  process.on('unhandledRejection', broken)
  ends.push(() => {
    process.off('uncaughtException', broken)
    process.off('unhandledRejection', broken)
  })
  const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.constant(undefined))
  const frame = fc.oneof(
    fc.string(),
    fc.json(),
    fc.uint8Array(),
    fc
      .record(
        {
          id,
          jsonrpc: fc.constant('2.0'),
          method: fc.constantFrom('irn_subscription', 'irn_publish', '__proto__'),
          params: fc.oneof(fc.jsonValue(), fc.record({ data: fc.jsonValue() })),
          result: fc.jsonValue(),
          error: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  )
  let count = 0
  await fc.assert(
    fc.asyncProperty(frame, async (data) => {
      await until(() => relay.status().status === 'connected')
      server.sockets.at(-1)?.send(data)
      count += 1
      const message = `after ${count}`
      server.push(`${count}`, { topic, message })
      await until(() => messages.at(-1)?.message === message || relay.status().status === 'waiting')
      await vi.advanceTimersByTimeAsync(100)
    }),
    { numRuns: 300 },
  )
  expect(broken).not.toHaveBeenCalled()
  expect(server.urls.length).toBeGreaterThan(1)
  await relay.publish(sent)
})

test('behavior: a frame beyond the limit is not read', async () => {
  const { server, relay, messages } = await setUp()
  await relay.subscribe([topic])
  const tooLong = 1_048_576 + 65_536
  server.push('30', { topic, message: 'x'.repeat(tooLong) })
  server.push('31', { topic, message: 'x'.repeat(1_048_576) })
  await until(() => server.answers().length === 1)
  expect(messages).toHaveLength(1)
  expect(server.answers().map(({ id }: RelayFrame) => id)).toEqual([31])
})
