import { expect, test } from 'vitest'
import { encode, fileOf, harbour, namedOf, openFiles, rowsOf } from './harbour.ts'

// Turned around, without width, control characters, a tag character, letters without a shape, a
// line end and a closing quote.
const evil = 'a\u202eb\u2066c\u200bd\ufeffe\u00adf\u0007g\u{e0041}h\n”i\u2028j\u3164k\u034fl'
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u
const say = 'say(string words, (string inner) note)'
const file = (label: string, more: object = {}) =>
  fileOf({
    [say]: {
      intent: label,
      fields: [
        { path: 'words', label, format: 'raw' },
        { path: 'note.inner', label: 'Inner', format: 'addressName' },
      ],
    },
    ...more,
  })

test('decoders: a string from the page is in quotes, on one line, with all invisible characters escaped', async () => {
  const { call } = openFiles({ 'say.json': file('Words') })
  const view = await call(encode('say(string,(string))', [evil, [evil.repeat(20)]]))
  const shown = rowsOf(view).map(([label, text]) => `${label} ${text}`)
  expect(shown.filter((row) => unseen.test(row.replaceAll('\n', '')))).toEqual([])
  const [words] = namedOf(view)
  expect(words?.[1]).toMatch(/^“[^“”\n]*”$/)
  for (const point of ['202e', '2066', '200b', 'feff', 'ad', '7', 'e0041', '2028', '3164', '34f'])
    expect(words?.[1]).toContain(`\\u{${point}}`)
  // Below the names they are whole, and in the bytes.
  const tree = view.groups[0]?.rows.find(({ label }) => label === 'All parameters')?.tree
  expect(tree?.[0]?.value).toContain('a\\u{202e}b')
  expect(rowsOf(view)[rowsOf(view).length - 1]?.[1]).toContain('e280ae')
})

test('decoders: a string that looks like an amount or like our own labels is in quotes', async () => {
  const { call } = openFiles({ 'say.json': file('Words') })
  // The first letter is Cyrillic.
  for (const text of ['2.5 USD', '“For” (1)', '\u0455how']) {
    const [words] = namedOf(await call(encode('say(string,(string))', [text, ['']])))
    expect(words).toEqual(['“Words”', `“${text.replace(/[“”]/g, '')}”`])
  }
})

test('decoders: a string that is not UTF-8 has no names', async () => {
  const { call } = openFiles({ 'say.json': file('Words') })
  const data = encode('say(string,(string))', ['aé', ['']])
  const broken = data.replace('61c3a9', '61c328') as typeof data
  expect(broken).not.toBe(data)
  expect(rowsOf(await call(broken)).map(([label]) => label)).toEqual(['Contract', 'Data'])
})

test('decoders: words of a file are in quotes, on one line, with all that is unseen written out', async () => {
  const { call } = openFiles({ 'say.json': file(evil) })
  const rows = rowsOf(await call(encode('say(string,(string))', ['x', ['y']])))
  expect(rows[2]?.[1]).toMatch(/^“a\\u\{202e\}b[^“”\n]*”$/)
  expect(rows[4]?.[0]).toMatch(/^“a\\u\{202e\}b[^“”\n]*”$/)
})

test('decoders: a function, parameter or type with letters that only look like others has no names', async () => {
  // Each has a Cyrillic letter.
  const { problems, call } = openFiles({
    'say.json': fileOf({
      's\u0430y(string words)': { intent: 'Say', fields: [] },
      'tell(string w\u043erds)': { intent: 'Tell', fields: [] },
      [say]: { intent: 'Say', fields: [{ path: 'w\u043erds', label: 'Words', format: 'raw' }] },
    }),
  })
  expect(problems).toHaveLength(3)
  for (const data of [encode('tell(string)', ['x']), encode('say(string,(string))', ['x', ['y']])])
    expect(rowsOf(await call(data)).map(([label]) => label)).toEqual(['Contract', 'Data'])
})

const note = (from: string, words = 'Ahoy', name = 'Harbour') => ({
  primaryType: 'Note',
  domain: { name, version: '1', chainId: 1, verifyingContract: harbour },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Note: [{ name: 'words', type: from }],
  },
  message: { words },
})
const signed = openFiles({
  'note.json': {
    context: {
      eip712: {
        domain: { name: 'Harbour', version: '1', chainId: 1 },
        deployments: [{ chainId: '1', address: harbour }],
      },
    },
    metadata: { owner: null },
    display: {
      formats: {
        'Note(string words)': {
          intent: 'Leave a note',
          fields: [{ path: 'words', label: 'Words', format: 'raw' }],
        },
      },
    },
  },
})

test('decoders: typed data of another domain than the file is bound to has no names', async () => {
  const named = [
    ['Purpose', '“Leave a note”'],
    ['“Words”', '“Ahoy”'],
  ]
  expect(rowsOf(await signed.sign(note('string')))).toEqual(named)
  for (const name of ['Harbor', 'H\u0430rbour', 'Harbour ', ''])
    expect((await signed.sign(note('string', 'Ahoy', name))).groups).toEqual([])
  expect((await signed.sign(note('bytes', '0x12'))).groups).toEqual([])
})

test('decoders: typed data with invisible characters keeps its danger next to the names', async () => {
  const view = await signed.sign(note('string', evil))
  expect(rowsOf(view)[1]?.[1]).toMatch(/^“a\\u\{202e\}b[^“”\n]*”$/)
  expect(view.warnings.some(({ level }) => level === 'danger')).toBe(true)
})
