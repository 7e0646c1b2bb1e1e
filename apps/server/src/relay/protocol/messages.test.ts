import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prefixedCalls, wholeCalls } from './calls.ts'
import { frameMaxLength, parseFrame } from './messages.ts'

const topic = 'ab'.repeat(32)
const other = 'cd'.repeat(32)
const request = (method: string, params: unknown, id: string = '1') =>
  `{"id":${id},"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`
const callOf = (method: string, params: unknown) => {
  const frame = parseFrame(request(method, params))
  return frame.kind === 'request' ? frame.call : frame
}
const tagOf = (text: string) => {
  const frame = parseFrame(text)
  return frame.kind === 'invalid' ? [frame.id, frame.error.code, frame.error.data] : frame.kind
}

test('default: a publish, without what a client adds for statistics', () => {
  const tvf = {
    tvf: { txHashes: ['0xsecret'] },
    chainId: 'eip155:1',
    approvedAccounts: ['0xsecret'],
  }
  const params = { topic, message: 'm', ttl: 300, prompt: true, tag: 1108, ...tvf }
  expect(parseFrame(request('irn_publish', params, '"1795227042026957824"'))).toEqual({
    kind: 'request',
    id: '"1795227042026957824"',
    prefix: 'irn',
    call: {
      name: 'publish',
      publications: [{ topic, message: 'm', ttlSeconds: 300, tag: 1108 }],
    },
  })
})

test('error: a frame of too many levels is not parsed', () => {
  for (const levels of [64, 5_000, 500_000])
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const params = `${open.repeat(levels)}1${close.repeat(levels)}`
      const text = `{"id":1,"jsonrpc":"2.0","method":"irn_publish","params":${params}}`
      expect(parseFrame(text, 2 ** 24)).toMatchObject({ kind: 'invalid', id: '0' })
    }
})

test('behavior: an id keeps its letters', () => {
  const idOf = (id: string) => parseFrame(request('irn_subscribe', { topic }, id))
  for (const id of ['0', '-1', '1795227042026957824', '18446744073709551615', '"x"', '"1"'])
    expect(idOf(id)).toMatchObject({ kind: 'request', id })
  for (const id of [
    '1.5',
    '1e30',
    'null',
    'true',
    '{}',
    '[1]',
    `"${'a'.repeat(65)}"`,
    '9'.repeat(65),
  ])
    expect(idOf(id)).toMatchObject({
      kind: 'invalid',
      id: '0',
      error: { data: 'InvalidRequestId' },
    })
})

test('behavior: of two ids the last one counts', () => {
  const twice =
    '{"id":1795227042026957824,"id":1795227042026957999,"jsonrpc":"2.0","method":"irn_x"}'
  expect(tagOf(twice)[0]).toBe('1795227042026957999')
})

test('default: answers to pushes', () => {
  const answer = (rest: string, id = '1700000000000001') =>
    parseFrame(`{"id":${id},"jsonrpc":"2.0",${rest}}`)
  const pushId = 1700000000000001
  expect(answer('"result":true')).toEqual({ kind: 'answer', pushId, accepted: true })
  expect(answer('"error":{"code":1,"message":"no"}')).toEqual({
    kind: 'answer',
    pushId,
    accepted: false,
  })
  expect(answer('"result":true', '"1700000000000001"').kind).toBe('invalid')
  expect(answer('"result":true', '17000000000000000001').kind).toBe('invalid')
  expect(answer('"result":true,"error":{}').kind).toBe('invalid')
  expect(answer('"params":{}').kind).toBe('invalid')
})

test('param: method: each form becomes its call', () => {
  expect(
    callOf('wc_proposeSession', { pairingTopic: topic, sessionProposal: 'p', correlationId: 1 }),
  ).toMatchInlineSnapshot(`
      {
        "name": "subscribeAndPublish",
        "publications": [
          {
            "message": "p",
            "tag": 1100,
            "topic": "abababababababababababababababababababababababababababababababab",
            "ttlSeconds": 300,
          },
        ],
        "topic": "abababababababababababababababababababababababababababababababab",
      }
    `)
  const approval = {
    pairingTopic: topic,
    sessionTopic: other,
    sessionProposalResponse: 'r',
    sessionSettlementRequest: 's',
    ttl: 300,
    approvedAccounts: ['eip155:1:0x0'],
  }
  expect(callOf('wc_approveSession', approval)).toMatchInlineSnapshot(`
    {
      "name": "subscribeAndPublish",
      "publications": [
        {
          "message": "s",
          "tag": 1102,
          "topic": "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
          "ttlSeconds": 300,
        },
        {
          "message": "r",
          "tag": 1101,
          "topic": "abababababababababababababababababababababababababababababababab",
          "ttlSeconds": 300,
        },
      ],
      "topic": "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
    }
  `)
  expect(callOf('wc_createTopic', { topic })).toEqual({ name: 'createTopic', topic })
  expect(callOf('irn_subscribeBlocking', { topic })).toMatchObject({ form: 'one', topics: [topic] })
  expect(callOf('irn_batchSubscribe', { topics: [topic, other, topic] })).toEqual({
    name: 'subscribe',
    form: 'many',
    topics: [topic, other, topic],
  })
  expect(callOf('irn_batchSubscribeBlocking', { topics: [topic] })).toMatchObject({ form: 'each' })
  expect(callOf('irn_unsubscribe', { topic, id: {} })).toEqual({
    name: 'unsubscribe',
    topics: [topic],
  })
  expect(callOf('irn_batchUnsubscribe', { subscriptions: [{ topic, id: 'x' }] })).toEqual({
    name: 'unsubscribe',
    topics: [topic],
  })
  expect(callOf('irn_batchFetchMessages', { topics: [topic] })).toEqual({
    name: 'fetch',
    topics: [topic],
  })
  const receipts = [
    { topic, message_id: other },
    { topic, messageId: topic },
  ]
  expect(callOf('irn_batchReceive', { receipts })).toEqual({
    name: 'acknowledge',
    receipts: [
      { topic, messageId: other },
      { topic, messageId: topic },
    ],
  })
  const messages = [{ topic, message: 'a', ttl: 1, attestation: 'jwt' }]
  expect(callOf('irn_batchPublish', { messages })).toEqual({
    name: 'publish',
    publications: [{ topic, message: 'a', ttlSeconds: 1, tag: 0, attestation: 'jwt' }],
  })
})

test('param: method: three prefixes, and no mixing', () => {
  for (const prefix of ['irn', 'iridium', 'waku'])
    expect(parseFrame(request(`${prefix}_subscribe`, { topic }))).toMatchObject({ prefix })
  for (const method of [
    'wc_subscribe',
    'irn_proposeSession',
    'irn_wc_createTopic',
    'subscribe',
    '',
  ])
    expect(tagOf(request(method, { topic }))).toEqual(['1', -32601, 'InvalidMethod'])
  expect(tagOf(request('irn_constructor', { topic }))).toEqual(['1', -32601, 'InvalidMethod'])
})

test('param: ttl: cut at thirty days, at least a second', () => {
  const publish = (ttl: unknown) => request('irn_publish', { topic, message: 'm', ttl })
  expect(callOf('irn_publish', { topic, message: 'm', ttl: 1e12 })).toMatchObject({
    publications: [{ ttlSeconds: 2_592_000 }],
  })
  for (const ttl of [0, -1, 0.5]) expect(tagOf(publish(ttl))).toEqual(['1', -32000, 'TtlTooShort'])
  for (const ttl of ['300', null, {}])
    expect(tagOf(publish(ttl))).toEqual(['1', -32600, 'InvalidParams'])
})

test('error: each fault has its tag', () => {
  expect(tagOf('')).toEqual(['0', -32600, 'Serialization'])
  expect(tagOf('[]')).toEqual(['0', -32600, 'Serialization'])
  expect(tagOf('null')).toEqual(['0', -32600, 'Serialization'])
  expect(tagOf('{"id":7,"method":"irn_subscribe"}')).toEqual(['7', -32600, 'InvalidJsonRpcVersion'])
  expect(tagOf('x'.repeat(frameMaxLength + 1))).toEqual(['0', -32600, 'PayloadSizeExceeded'])
  for (const bad of [topic.toUpperCase(), topic.slice(1), `${topic}\n`, 7, null])
    expect(tagOf(request('irn_subscribe', { topic: bad }))).toEqual(['1', -32600, 'InvalidTopic'])
  const many = (length: number) => ({ topics: Array.from({ length }, () => topic) })
  expect(tagOf(request('irn_batchSubscribe', many(500)))).toBe('request')
  expect(tagOf(request('irn_batchSubscribe', many(501)))).toEqual([
    '1',
    -32600,
    'BatchLimitExceeded',
  ])
  expect(tagOf(request('irn_batchSubscribe', many(0)))).toEqual(['1', -32600, 'BatchEmpty'])
  expect(tagOf(request('irn_batchReceive', { receipts: [{ topic }] }))).toEqual([
    '1',
    -32600,
    'InvalidParams',
  ])
  expect(tagOf(request('irn_publish', undefined))).toEqual(['0', -32600, 'Serialization'])
  expect(tagOf(request('irn_publish', []))).toEqual(['1', -32600, 'InvalidParams'])
})

const methods = [...prefixedCalls.keys()].map((name) => `irn_${name}`).concat(...wholeCalls.keys())

test('behavior: never throws, and a refused frame has an id for its response', () => {
  const json = fc.jsonValue()
  const params = fc.oneof(
    json,
    fc.dictionary(fc.constantFrom('topic', 'topics', 'messages', 'ttl', 'receipts'), json),
  )
  const frame = fc.record(
    {
      id: fc.oneof(json, fc.nat()),
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      method: fc.oneof(fc.constantFrom(...methods), json),
      params,
      result: json,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        json.map((j) => JSON.stringify(j)),
        frame.map((f) => JSON.stringify(f)),
      ),
      (text) => {
        const parsed = parseFrame(text)
        if (parsed.kind === 'invalid') JSON.parse(`{"id":${parsed.id}}`)
        // Random strings contain no valid topic.
        expect(parsed.kind).not.toBe('request')
      },
    ),
    { numRuns: 1000 },
  )
})

test('behavior: the short way of a publish says what the schema says', () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(undefined, '', 0, 1, 0.5, 2_592_001, -1, 2 ** 53),
  )
  const params = fc.record(
    {
      topic: fc.oneof(fc.constantFrom(topic, topic.toUpperCase(), `${topic}0`), odd),
      message: fc.oneof(fc.string(), odd),
      ttl: fc.oneof(fc.integer({ min: 0, max: 3_000_000 }), odd),
      tag: fc.oneof(fc.nat(), odd),
      attestation: fc.oneof(fc.string(), fc.constant(null), odd),
      prompt: odd,
    },
    { requiredKeys: ['topic'] },
  )
  fc.assert(
    fc.property(params, (given) => {
      expect(callOf('irn_publish', given)).toEqual(callOf('iridium_publish', given))
    }),
    { numRuns: 500 },
  )
})

test('behavior: a good frame changed in one place keeps its meaning or is refused', () => {
  const good = request('irn_publish', { topic, message: 'hello', ttl: 300, tag: 1100 }, '"12"')
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.string({ maxLength: 2 }), (at, piece) => {
      const parsed = parseFrame(good.slice(0, at) + piece + good.slice(at + 1))
      if (parsed.kind !== 'request' || parsed.call.name !== 'publish') return
      const [publication] = parsed.call.publications
      expect(publication?.topic).toMatch(/^[0-9a-f]{64}$/)
      expect(publication?.ttlSeconds).toBeGreaterThanOrEqual(1)
      expect(publication?.ttlSeconds).toBeLessThanOrEqual(2_592_000)
      expect(Number.isSafeInteger(publication?.tag)).toBe(true)
      JSON.parse(parsed.id)
    }),
    { numRuns: 1000 },
  )
})
