import { expect, test } from 'vitest'
import { readDigits } from './readDigits.ts'

test('default: digits of any script and width are read, everything else is left out', () => {
  for (const text of ['２４６', '٢٤٦', '۲۴۶', '२४६', '২৪৬', '๒๔๖', '𝟐𝟒𝟔', '²⁴⁶', '②④⑥', '𞥒𞥔𞥖'])
    expect(readDigits(text)).toBe('246')
  expect(readDigits('364-377\u200f ')).toBe('364377')
  expect(readDigits('abc½é一\ud800')).toBe('12')
})

test('behavior: each decimal digit that Unicode has is read as its value', () => {
  let count = 0
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    if (!/\p{Nd}/u.test(character)) continue
    expect(readDigits(character)).toBe(String(count % 10))
    count += 1
  }
  expect(count).toBeGreaterThan(600)
})
