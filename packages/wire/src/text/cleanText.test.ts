import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText } from './cleanText.ts'

const maxLength = 20

test.each([
  ['Key #1', 'Key #1'],
  ['  two\n lines\t', 'two lines'],
  ['Zoë 你好 👩‍🚀 مرحبا', 'Zoë 你好 👩‍🚀 مرحبا'],
  ['a\0b\x07c\x1bd\x7fe\x9bf', 'abcdef'],
  ['\u202egnp.exe\u202c', 'gnp.exe'],
  ['\u2066a\u2069\u200f\u061c\u200eb', 'ab'],
  ['zero\u200b\u2060\ufeffwidth\u00ad', 'zerowidth'],
  ['\u{e0041}\u{e0042}tags', 'tags'],
  ['\ue000private', 'private'],
  [`Z${'\u0301'.repeat(50)}algo`, 'Z\u0301\u0301\u0301algo'],
  ['\ud800alone\udc00', '\ufffdalone\ufffd'],
  ['', null],
  ['\u200b\u3164\n \u2800', null],
  ['a'.repeat(25), `${'a'.repeat(19)}…`],
  ['a'.repeat(20), 'a'.repeat(20)],
  [`${'a'.repeat(18)}😀😀`, `${'a'.repeat(18)}…`],
])('default: %j becomes %j', (text, expected) => {
  expect(cleanText(text, { maxLength })).toBe(expected)
})

test('param: lines', () => {
  const text = 'one\r\ntwo\u2028three\nfour'
  expect(cleanText(text, { maxLength, lines: 3 })).toBe('one\ntwo\nthree')
})

test('behavior: ten megabytes cost next to nothing', () => {
  const before = process.cpuUsage()
  expect(cleanText('\u0301'.repeat(10_000_000), { maxLength })?.length).toBeLessThan(maxLength)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(500)
})

test('behavior: never longer than the limit, never invisible, and stable when cleaned again', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.integer({ min: 2, max: 99 }),
      (text, length) => {
        const clean = cleanText(text, { maxLength: length })
        if (clean === null) return
        expect(clean.length).toBeLessThanOrEqual(length)
        expect(clean).not.toMatch(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u)
        expect(cleanText(clean, { maxLength: length })).toBe(clean)
      },
    ),
  )
})
