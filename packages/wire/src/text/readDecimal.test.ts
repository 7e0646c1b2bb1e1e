import { expect, it } from 'vitest'
import { formatUnits } from './formatUnits.ts'
import { readDecimal } from './readDecimal.ts'

const read = (typed: string, locales = ['en'], symbol = 'USDC') =>
  readDecimal(typed, { locales, symbol })

it.each([
  ['1,000', '1000'],
  ['1.000', '1'],
  ['1,5', '1.5'],
  ['0,500', '0.5'],
  ['1,0005', '1.0005'],
  [',5', '0.5'],
  ['.5', '0.5'],
  ['1.', '1'],
  ['007.50', '7.5'],
  ['1,234.567', '1234.567'],
  ['1.234,567', '1234.567'],
  ['1,000,000', '1000000'],
  ['1.000.000', '1000000'],
  ['12,34,567.8', '1234567.8'],
  ['1 000,5', '1000.5'],
  ['1\u202f000,5', '1000.5'],
  ['1\u00a0000', '1000'],
  ['1’000.50', '1000.5'],
  ["1'000'000", '1000000'],
  ['1_000', '1000'],
  ['١٢٫٥', '12.5'],
  ['۱۲۳۴', '1234'],
  ['١٬٠٠٠٫٥', '1000.5'],
  ['१,२३,४५६', '123456'],
  ['１，０００．５', '1000.5'],
  ['𝟏𝟐.𝟗', '12.9'],
  ['  2.5\u200e ', '2.5'],
  ['10,000.000 USDC', '10000'],
  ['usdc 5', '5'],
  ['+1.5 USDC', '1.5'],
  ['$1,234.50', '1234.5'],
  ['1.234,50\u00a0€', '1234.5'],
  ['CA$20', '20'],
])('default: %j means %s in English', (typed, amount) => expect(read(typed)).toEqual({ amount }))

it.each([
  ['', undefined],
  [' ', undefined],
  ['.', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['1,00,0', undefined],
  ['1,000 000', undefined],
  ['1 5', undefined],
  ['1.2.3', undefined],
  ['1.000,000.5', undefined],
  ['1,000 ETH', undefined],
  ['1½', undefined],
  ['\u202e1', undefined],
])('error: %j is no amount', (typed, amount) => expect(read(typed)).toBe(amount))

it.each(['de', 'fr-FR', 'pt-BR', 'id', 'de-AT'])('behavior: %s is ambiguous', (locale) => {
  for (const locales of [[locale], ['en', locale]]) {
    expect(read('1,000', locales)).toEqual({ readings: ['1000', '1'] })
    expect(read('1.234', locales)).toEqual({ readings: ['1234', '1.234'] })
    expect(read('1.234 USDC', locales)).toEqual({ readings: ['1234', '1.234'] })
    expect(read('1,5', locales)).toEqual({ amount: '1.5' })
    expect(read('1.5', locales)).toEqual({ amount: '1.5' })
    expect(read('1.234,5', locales)).toEqual({ amount: '1234.5' })
    expect(read('0,123', locales)).toEqual({ amount: '0.123' })
  }
})

it('behavior: a locale with a decimal point, or an invalid one, does not ask', () => {
  for (const locale of ['de-CH', 'en-US@posix', 'ja', 'en-IN'])
    expect(read('1,000', ['en', locale])).toEqual({ amount: '1000' })
})

it('behavior: digits of a symbol are not taken off an amount', () => {
  expect(read('100', ['en'], '0')).toEqual({ amount: '100' })
  expect(read('1E5', ['en'], 'E5')).toBeUndefined()
  expect(read('5 1INCH', ['en'], '1INCH')).toEqual({ amount: '5' })
})

it('behavior: an exact amount means itself in English, with groups of each locale too', () => {
  for (const units of [0n, 1n, 999n, 1000n, 1_234_567n, 10n ** 21n + 5n]) {
    const amount = formatUnits(units, 3)
    expect(read(amount)).toEqual({ amount })
    for (const locale of ['en-US', 'de', 'fr', 'hi', 'de-CH', 'ar-EG', 'fa', 'pl']) {
      const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })
      const shown = format.format(amount as unknown as number)
      const meant = readDecimal(shown, { locales: [locale] })
      if (meant && 'readings' in meant) expect(meant.readings).toContain(amount)
      else expect(meant).toEqual({ amount })
    }
  }
})

it.each(['\u202d0.5\u202c', '\u202a0.5\u202c', '\u20660.5\u2069'])(
  'behavior: the signs of direction around %j are left out',
  (typed) => expect(readDecimal(typed, { locales: ['en'] })).toEqual({ amount: '0.5' }),
)
