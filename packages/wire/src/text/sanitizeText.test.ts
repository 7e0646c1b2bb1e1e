import { expect, test } from 'vitest'
import { sanitizeText } from './sanitizeText.ts'

test('default: plain text, other scripts and pictures stay', () => {
  for (const text of ['hello\n\tyou', 'שלום', 'Grüße', '日本', '🔑', '❤️'])
    expect(sanitizeText(text)).toBe(text)
  expect(sanitizeText('a\r\nb')).toBe('a\nb')
})

test('behavior: no invisible or direction-changing characters are left', () => {
  expect(sanitizeText('a\u202eb\u2066\u200b\ufeff\0\r\u2028')).toBe(
    'a\\u{202e}b\\u{2066}\\u{200b}\\u{feff}\\u{0}\\u{d}\\u{2028}',
  )
  // Letters and marks that are not seen: Hangul fillers, a joiner of marks, a selector of variants,
  // an empty braille cell.
  expect(sanitizeText('a\u3164\u115f\uffa0\u034f\u180b\u2800\u{e0100}')).toBe(
    'a\\u{3164}\\u{115f}\\u{ffa0}\\u{34f}\\u{180b}\\u{2800}\\u{e0100}',
  )
  for (let point = 0; point < 0x110000; point += 1) {
    const shown = sanitizeText(String.fromCodePoint(point))
    if (/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(shown))
      throw new Error(`${point.toString(16)} is not written out`)
  }
})
