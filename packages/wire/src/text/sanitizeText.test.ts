import { expect, test } from 'vitest'
import { sanitizeText } from './sanitizeText.ts'

test('default: plain text, other scripts and pictures stay', () => {
  for (const text of ['hello\n\tyou', 'שלום', 'Grüße', '日本', '🔑'])
    expect(sanitizeText(text)).toBe(text)
  expect(sanitizeText('a\r\nb')).toBe('a\nb')
})

test('behavior: nothing invisible or turning is left', () => {
  expect(sanitizeText('a\u202eb\u2066\u200b\ufeff\0\r\u2028')).toBe(
    'a\\u{202e}b\\u{2066}\\u{200b}\\u{feff}\\u{0}\\u{d}\\u{2028}',
  )
  for (let point = 0; point < 0x110000; point += 1) {
    const shown = sanitizeText(String.fromCodePoint(point))
    if (/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(shown))
      throw new Error(`${point.toString(16)} is not written out`)
  }
})
