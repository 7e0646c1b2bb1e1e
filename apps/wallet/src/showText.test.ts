import { expect, test } from 'vitest'
import { isShowable } from './isShowable.ts'
import { showText } from './showText.ts'

test('default: plain text, other scripts and pictures stay', () => {
  for (const text of ['hello\n\tyou', 'שלום', 'Grüße', '日本', '🔑'])
    expect(showText(text)).toBe(text)
  expect(showText('a\r\nb')).toBe('a\nb')
})

test('behavior: nothing invisible or turning is left', () => {
  expect(showText('a\u202eb\u2066\u200b\ufeff\0\r\u2028')).toBe(
    'a\\u{202e}b\\u{2066}\\u{200b}\\u{feff}\\u{0}\\u{d}\\u{2028}',
  )
  for (let point = 0; point < 0x110000; point += 1) {
    const shown = showText(String.fromCodePoint(point))
    if (/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(shown))
      throw new Error(`${point.toString(16)} is not written out`)
  }
})

test('default: what a person can be shown is small and flat', () => {
  for (const value of [null, 1, 'x', undefined, {}, { a: [{ b: [1, 2, { c: null }] }] }])
    expect(isShowable(value)).toBe(true)
  expect(isShowable(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))).toBe(false)
  expect(isShowable(Array.from({ length: 3_000 }))).toBe(false)
  expect(isShowable(Array.from({ length: 100 }, () => Array.from({ length: 100 })))).toBe(false)
})
