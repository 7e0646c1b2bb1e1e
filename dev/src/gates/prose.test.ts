import { expect, test } from 'vitest'
import { lowerCounts, newProse, proseFindings } from './prose.ts'

const inDocstring = (text: string) => proseFindings('a.ts', `/** ${text} */\nconst a = 1\n`)

test.each([
  ['what-docstring', 'What an address holds.'],
  ['conditional-where', 'Reads it where there is a cache.'],
  ['undefined-where', 'Undefined where no price is known.'],
  ['that-of', 'The fee, or that of the node.'],
  ['of-ours', 'A list of our own.'],
  ['as-for-because', 'Waits, as the node is slow.'],
  ['as-for-such-as', 'A zone as `latchkey.id`.'],
  ['talking-machines', 'The server says no.'],
  ['is-asked', 'The wallet is asked.'],
  ['archaic', 'Reads it anew.'],
  ['whoever', 'Whoever holds it.'],
  ['stranded-passive', 'It is waited for.'],
  ['ms-that', 'Milliseconds that it takes.'],
  ['poll-looks', 'Looks again.'],
  ['goes-on', 'Goes on.'],
  ['one-pronoun', 'The one that is open.'],
  ['nobody-somebody', 'Nobody reads it.'],
  ['text-noun', 'A text of the screen.'],
  ['inverted-there', 'There is none.'],
  ['spelling', 'The colour of a licence.'],
  ['spelling', 'An e-mail arrives.'],
  ['wide-comment', 'x'.repeat(110)],
  ['long-sentence', 'word '.repeat(40)],
])('error: %s', (id, text) => {
  expect(inDocstring(text).map((finding) => finding.id)).toContain(id)
})

test('default: a plain docstring, code and strings of the product have no finding', () => {
  expect(inDocstring('The assets of an address. Undefined if it is unknown.')).toEqual([])
  expect(proseFindings('a.ts', "const colour = 'nobody says that of ours'\n")).toEqual([])
  expect(proseFindings('data/a.md', '`colour` in ```\n```\nwhoever\n```\n')).toEqual([])
})

test.each([
  ['packages/react/src/locales/en.ts', "  a: 'Nobody knows',", 'product'],
  ['docs/a.md', 'Nobody knows.', 'docs'],
  ['a.test.ts', "test('error: nobody knows', () => {", 'tests'],
  ['a.ts', 'const a = 1 // Nobody knows', 'product'],
])('default: reads the sentences of %s', (path, line, kind) => {
  expect(proseFindings(path, line)).toMatchObject([{ kind, id: 'nobody-somebody' }])
})

test('default: a count may fall and stays low', () => {
  const files = (...lines: string[]) => new Map([['a.md', lines.join('\n')]])
  const stored = lowerCounts(files('Nobody.', 'Nobody.'), {})
  expect(newProse(files('Nobody.', 'Nobody.'), stored)).toEqual([])
  const lower = lowerCounts(files('Nobody.'), stored)
  expect(lowerCounts(files('Nobody.', 'Nobody.'), lower)).toEqual(lower)
  expect(newProse(files('Nobody.', 'Nobody.'), lower)).toEqual([
    expect.stringContaining('nobody-somebody in docs: 2 lines, and at most 1'),
    expect.stringContaining('a.md:1: nobody-somebody'),
    expect.stringContaining('a.md:2: nobody-somebody'),
  ])
})
