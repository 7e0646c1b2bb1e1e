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

test('default: joins the lines of a paragraph before it counts words', () => {
  const words = Array.from({ length: 16 }, () => 'word').join(' ')
  const long = ['long-sentence']
  const ids = (path: string, source: string) =>
    proseFindings(path, source).map(({ id, message }) => [id, message.split(':')[1]])
  expect(ids('a.md', `A line.\n\n${words}\n${words}. One more.`)).toEqual([[...long, '3']])
  expect(ids('a.ts', `/**\n * ${words}\n * ${words}.\n */`)).toEqual([[...long, '2']])
  expect(ids('a.ts', `// ${words}\n// ${words}.`)).toEqual([[...long, '1']])
  const apart = [
    `${words}.\n${words}.`,
    `${words}\n\n${words}`,
    `- ${words}\n- ${words}`,
    `| ${words} | ${words} |`,
  ]
  for (const text of apart) expect(ids('a.md', text)).toEqual([])
  expect(ids('a.ts', `/** ${words}\n *\n * ${words} */`)).toEqual([])
})

test('default: reads strings that are sentences, the content of elements, and HTML', () => {
  const ids = (path: string, source: string) => proseFindings(path, source).map(({ id }) => id)
  const nobody = ['nobody-somebody']
  expect(ids('a.ts', "const name = 'Nobody has opened this page'")).toEqual(nobody)
  expect(ids('a.tsx', '<p>Nobody has opened this page</p>')).toEqual(nobody)
  expect(ids('a.ts', "const name = 'nobody-has-opened', more = 'Nobody'")).toEqual([])
  expect(ids('a.html', '<!doctype html>\n<p class="nobody is">Nobody has opened it</p>')).toEqual(
    nobody,
  )
  expect(ids('a.html', '<script>\n// whoever opens it\n</script>')).toEqual([])
})

test('error: a line that is too wide because of the comment at its end', () => {
  const line = `const a = [1, 2, 3] // ${'word '.repeat(18)}`
  expect(proseFindings('a.ts', line).map(({ id }) => id)).toEqual(['wide-comment'])
  expect(proseFindings('a.ts', line.replace('word', 'https://word'))).toEqual([])
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
