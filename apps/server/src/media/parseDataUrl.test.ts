import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDataUrl } from './parseDataUrl.ts'

const read = (text: string) => {
  const data = parseDataUrl(text)
  return data && [data.type, data.bytes.toString()]
}

test.each([
  ['data:application/json;base64,eyJhIjoxfQ==', 'application/json', '{"a":1}'],
  ['data:application/json;base64,eyJhIjoxfQ', 'application/json', '{"a":1}'],
  ['DATA:Application/JSON;Charset=UTF-8;BASE64,eyJhIjoxfQ', 'application/json', '{"a":1}'],
  ['data:application/json;base64,eyJh%49jox\nfQ%3D%3D', 'application/json', '{"a":1}'],
  ['data:application/json;utf8,{"a":"100%"}', 'application/json', '{"a":"100%"}'],
  ['data:application/json,{"a":"%C3%A9 é #1"}', 'application/json', '{"a":"é é #1"}'],
  ['data:application/json;ascii,{"a":"1,2"}', 'application/json', '{"a":"1,2"}'],
  ['data:image/svg+xml;utf8,<svg fill="#fff"/>', 'image/svg+xml', '<svg fill="#fff"/>'],
  ['data:,x%2', 'text/plain', 'x%2'],
  ['data:;base64,-_-_', 'text/plain', Buffer.from('-_-_', 'base64url').toString()],
])('default: %s', (text, type, content) => {
  expect(read(text)).toEqual([type, content])
})

test.each([
  '',
  'data:',
  'data:application/json',
  'https://a.b/,',
  'data:a;base64,{"a":1}',
  `data:${'a'.repeat(600)},`,
])('error: %s', (text) => {
  expect(parseDataUrl(text)).toBeUndefined()
})

test('behavior: any bytes come back, in base64 and percent-encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (array) => {
      const bytes = Buffer.from(array)
      for (const encoding of ['base64', 'base64url'] as const)
        expect(parseDataUrl(`data:x/y;base64,${bytes.toString(encoding)}`)?.bytes).toEqual(bytes)
      const percent = bytes.toString('hex').replace(/../g, '%$&')
      expect(parseDataUrl(`data:x/y,${percent}`)?.bytes).toEqual(bytes)
    }),
  )
})

test('behavior: any string is parsed or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (head, body) => {
      const data = parseDataUrl(`data:${head},${body}`)
      if (data)
        expect(data.bytes.length).toBeLessThanOrEqual(Buffer.byteLength(`${head}${body}`) + 1)
    }),
  )
})

test('error: a flood of padding is refused at once', () => {
  const before = process.cpuUsage()
  expect(parseDataUrl(`data:;base64,${'='.repeat(300_000)}!`)).toBeUndefined()
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000)
})
