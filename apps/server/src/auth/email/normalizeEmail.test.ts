import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeEmail } from './normalizeEmail.ts'

test('odd addresses: every result is one plain mailbox, and normalizing it again changes nothing', () => {
  const part = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  const near = fc.tuple(part, fc.constantFrom('@', '＠', '@@', '\r\n'), part)
  const texts = fc.oneof(
    part,
    fc.emailAddress(),
    near.map(([a, at, b]) => `${a}${at}${b}.example`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const email = normalizeEmail(text)
      if (email === undefined) return
      expect(email).toMatch(/^[^\p{C}\p{Z}]+@[a-z0-9.-]+$/u)
      expect(email).not.toMatch(/[\s,;<>"()[\]\\]/)
      expect(email.split('@')).toHaveLength(2)
      expect(normalizeEmail(email)).toBe(email)
    }),
    { numRuns: 5_000 },
  )
})

test('default: case, width and names of domains come out the same; dots and tags stay', () => {
  expect(normalizeEmail('Ada@Example.COM')).toBe('ada@example.com')
  expect(normalizeEmail('ada@bücher.example')).toBe(normalizeEmail('ada@BÜCHER.example'))
  expect(normalizeEmail('a.b+c@gmail.com')).toBe('a.b+c@gmail.com')
  for (const text of [
    'Ada <ada@example.com>',
    'mailto:ada@example.com',
    '\u202aada@example.com.\u202c',
    '\tada@example.com',
  ])
    expect(normalizeEmail(text)).toBe('ada@example.com')
  expect(normalizeEmail('ada@exam\u200bple.com')).toBeUndefined()
  expect(normalizeEmail('<a@example.com>, <b@example.com>')).toBeUndefined()
  expect(normalizeEmail(`${'a'.repeat(65)}@example.com`)).toBeUndefined()
  expect(normalizeEmail(`${'ü'.repeat(33)}@example.com`)).toBeUndefined()
})

test('security: an @ that decoding or NFKC brings is no second one', () => {
  for (const text of [
    'mailto:a%EF%BC%A0evil.example@good.example',
    'mailto:a%EF%B9%ABevil.example@good.example',
    'mailto:a%EF%BC%A0e.example%EF%BC%A0,b%EF%BC%A0x.example,%20victim@good.example',
    'mailto:a%EF%BC%A0evil.example%3E%20@good.example',
    'a＠evil.example@good.example',
    'a，b@good.example',
  ])
    expect(normalizeEmail(text)).toBeUndefined()
})

test('default: dots anywhere before the @, quoted or not, and letters of every script', () => {
  for (const [text, expected] of [
    ['ab.@docomo.example', 'ab.@docomo.example'],
    ['"ab."@docomo.example', 'ab.@docomo.example'],
    ['a..b@docomo.example', 'a..b@docomo.example'],
    ['.a@example.com', '.a@example.com'],
    ['Müller@example.com', 'müller@example.com'],
    ['mu\u0308ller@example.com', 'müller@example.com'],
    ['用户@例子.example', '用户@xn--fsqu00a.example'],
    ['अजय@example.com', 'अजय@example.com'],
  ])
    expect(normalizeEmail(text ?? '')).toBe(expected)
  for (const text of [
    '..@example.com',
    '\u0308a@example.com',
    '"a b"@example.com',
    'a\u200db@x.example',
  ])
    expect(normalizeEmail(text)).toBeUndefined()
})
