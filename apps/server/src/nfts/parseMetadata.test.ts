import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMetadata } from './parseMetadata.ts'

const read = (value: unknown) => parseMetadata(JSON.stringify(value))

test('default', () => {
  expect(
    read({
      name: 'Key #1',
      description: 'Opens\nthe door',
      image: 'ipfs://x/1.png',
      external_url: 'https://example.com/1',
      animation_url: 'https://example.com/1.html',
      attributes: [
        { trait_type: 'Colour', value: 'red' },
        { trait_type: 'Level', value: 5, max_value: 9 },
        { trait_type: 'Born', display_type: 'date', value: 1546360800 },
        { trait_type: 'Shiny', value: false },
        { value: 'alone' },
      ],
    }),
  ).toEqual({
    name: 'Key #1',
    description: 'Opens\nthe door',
    image: 'ipfs://x/1.png',
    externalUrl: 'https://example.com/1',
    attributes: [
      { name: 'Colour', value: 'red' },
      { name: 'Level', value: '5' },
      { name: 'Born', value: '2019-01-01' },
      { name: 'Shiny', value: 'false' },
      { name: '', value: 'alone' },
    ],
  })
})

const nothing = { name: null, description: null, image: null, externalUrl: null, attributes: [] }

test('behavior: missing, empty and mistyped fields are absent', () => {
  expect(read({})).toEqual(nothing)
  expect(
    read({
      name: { a: 1 },
      description: ['x'],
      image: 7,
      external_url: {},
      attributes: 'many',
    }),
  ).toEqual(nothing)
  expect(read({ name: '', image: ' ', attributes: [null, 1, [], { trait_type: 'x' }] })).toEqual(
    nothing,
  )
})

test('behavior: other ways to write the same', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  expect(read({ title: 'T', image_url: 'https://a.b/c' })).toMatchObject({
    name: 'T',
    image: 'https://a.b/c',
  })
  expect(read({ image_data: svg })?.image).toBe(
    `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  )
  expect(
    read({ properties: { Size: 'L', Hue: { name: 'Colour', value: 'red' }, x: [1] } })?.attributes,
  ).toEqual([
    { name: 'Size', value: 'L' },
    { name: 'Colour', value: 'red' },
  ])
  expect(parseMetadata('\ufeff{"name":7}')?.name).toBe('7')
})

const url = 'https://example.com/1.png'

test.each([
  ['an object', { url }, url],
  ['an object with another name', { uri: url, width: 1 }, url],
  ['a list of texts', [url, 'https://example.com/2.png'], url],
  ['a list of objects', [{ src: url }], url],
  ['an empty list', [], null],
  ['an object without an address', { width: 1, description: 'A picture' }, null],
  ['a path', '../0.png', '../0.png'],
])('behavior: a picture as %s', (_, image, expected) => {
  expect(read({ image })?.image).toBe(expected)
})

test.each(['<!-- x --><svg/>', '<?xml version="1.0"?><svg/>', '<!DOCTYPE svg><svg/>'])(
  'behavior: the drawing %s is a picture',
  (image) => {
    const encoded = Buffer.from(image).toString('base64')
    expect(read({ image })?.image).toBe(`data:image/svg+xml;base64,${encoded}`)
  },
)

test('behavior: the schema of ERC-721, filled in', () => {
  const text = (description: string) => ({ type: 'string', description })
  const schema = (image: object) => ({
    title: 'Asset Metadata',
    type: 'object',
    properties: { name: text('Key'), description: text('Opens doors'), image },
  })
  expect(read(schema(text(url)))).toMatchObject({
    name: 'Key',
    description: 'Opens doors',
    image: url,
  })
  expect(read(schema({ type: 'string', value: url }))?.image).toBe(url)
})

test.each([
  ['a line end in a text', '{"name":"a\nb"}', 'a b'],
  ['a tab in a text', '{"name":"a\tb"}', 'a b'],
  ['a comma too many', '{"name":"a b","attributes":[1,2,],}', 'a b'],
  ['two commas', '{"name":"a b",,"image":""}', 'a b'],
  ['single quotes', "{'name':'a b'}", 'a b'],
  ['names without quotes', '{name:"a b"}', 'a b'],
  ['comments', '{/* x */"name":"a b" // y\n}', 'a b'],
  ['an escape that JSON lacks', '{"name":"a\\\' b\\x"}', "a' bx"],
  ['a number that is none', '{"name":"a b","edition":NaN,"id":007}', 'a b'],
  ['a list with one object', '[{"name":"a b"}]', 'a b'],
  ['JSON in a text', JSON.stringify('{"name":"a b"}'), 'a b'],
  ['both', '\ufeff[{"name":"a\r\nb",},]', 'a b'],
])('behavior: JSON that is not quite JSON: %s', (_, json, expected) => {
  expect(parseMetadata(json)?.name).toBe(expected)
})

test.each(['"', "'", '/*', '{"a":"', '\\', '"\\', '{,', '//\n'])(
  'behavior: a megabyte of %s is read in a moment',
  (part) => {
    expect(parseMetadata(`{"name":\n${part.repeat(1_000_000 / part.length)}`)).toBeUndefined()
  },
)

test.each([
  'javascript:alert(1)',
  'http://example.com',
  'data:text/html,x',
  'https://a:b@example.com',
  'example.com',
  `https://example.com/${'a'.repeat(3000)}`,
])('error: the external URL %s is left out', (url) => {
  expect(read({ external_url: url })?.externalUrl).toBeNull()
})

test.each(['', 'null', '[]', '7', '"x"', '{', '<html>', '{"a":1}}', '['.repeat(500_000)])(
  'error: %.20s is no metadata',
  (json) => {
    expect(parseMetadata(json)).toBeUndefined()
  },
)

test('behavior: hostile sizes are bounded', () => {
  const long = 'x'.repeat(10_000_000)
  const many = Array.from({ length: 100_000 }, (_, index) => ({
    trait_type: long.slice(0, 99),
    value: index,
  }))
  const found = read({ name: long, description: long, image: long, attributes: many })
  expect(found?.name?.length).toBe(200)
  expect(found?.description?.length).toBe(2_000)
  expect(found?.image).toBeNull()
  expect(found?.attributes).toHaveLength(50)
  expect(found?.attributes[0]?.name.length).toBe(64)
  const deep = `${'{"name":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  expect(parseMetadata(deep)).toEqual(nothing)
})

test('behavior: names of the language are only names', () => {
  const found = parseMetadata(
    '{"__proto__":{"name":"x"},"constructor":1,"attributes":{"__proto__":{"value":"y"}}}',
  )
  expect(found).toEqual({ ...nothing, attributes: [{ name: '__proto__', value: 'y' }] })
})

test('behavior: any JSON is read or refused, and the result can be stored', () => {
  const key = fc.constantFrom(
    'name',
    'description',
    'image',
    'external_url',
    'attributes',
    'value',
    'trait_type',
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.constant(null),
      fc.boolean(),
      tie('list'),
      tie('fields'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    fields: fc.dictionary(fc.oneof(key, fc.string()), tie('value'), { maxKeys: 6 }),
  }))
  fc.assert(
    fc.property(value, (json) => {
      const found = read(json)
      if (found === undefined) return
      expect(JSON.stringify({ ...found, image: null })).not.toContain('\\u0000')
    }),
  )
})
