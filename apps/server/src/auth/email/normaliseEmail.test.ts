import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseEmail } from './normaliseEmail.ts'

test('row 9: whatever comes in, what comes out is one plain mailbox and stays the same', () => {
  const part = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  const near = fc.tuple(part, fc.constantFrom('@', '＠', '@@', '\r\n'), part)
  const texts = fc.oneof(
    part,
    fc.emailAddress(),
    near.map(([a, at, b]) => `${a}${at}${b}.example`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const email = normaliseEmail(text)
      if (email === undefined) return
      expect(email).toMatch(/^[!-;=-?A-~]+@[a-z0-9.-]+$/)
      expect(email).not.toMatch(/[\s,;<>"()[\]\\]/)
      expect(email.split('@')).toHaveLength(2)
      expect(normaliseEmail(email)).toBe(email)
    }),
    { numRuns: 5_000 },
  )
})

test('default: case, width and names of domains come out the same; dots and tags stay', () => {
  expect(normaliseEmail('Ada@Example.COM')).toBe('ada@example.com')
  expect(normaliseEmail('ada@bücher.example')).toBe(normaliseEmail('ada@BÜCHER.example'))
  expect(normaliseEmail('a.b+c@gmail.com')).toBe('a.b+c@gmail.com')
  for (const text of [
    'Ada <ada@example.com>',
    'mailto:ada@example.com',
    '\u202aada@example.com.\u202c',
    '\tada@example.com',
  ])
    expect(normaliseEmail(text)).toBe('ada@example.com')
  expect(normaliseEmail('ada@exam\u200bple.com')).toBeUndefined()
  expect(normaliseEmail('<a@example.com>, <b@example.com>')).toBeUndefined()
  expect(normaliseEmail('.a@example.com')).toBeUndefined()
  expect(normaliseEmail('a..b@example.com')).toBeUndefined()
  expect(normaliseEmail(`${'a'.repeat(65)}@example.com`)).toBeUndefined()
  expect(normaliseEmail('а@example.com')).toBeUndefined()
})
