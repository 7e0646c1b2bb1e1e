import { formatAmount } from '../format.ts'
import { fromSmallestUnit } from '../units.ts'

/** Digits of a number that adding and multiplying leave right. */
const rightDigits = 14
/** A value without a digit in these decimals is shown as zero. */
const maxDecimals = 12

/**
 * Formats a value in dollars for reading, for example `$1,234.50`: cut (never rounded up) after the
 * cent, below a dollar after four digits.
 */
export function formatDollars(value: number, locale = 'en-US'): string {
  const cut = cutDollars(value)
  const decimals = cut.length - cut.indexOf('.') - 1
  return Number(cut).toLocaleString(locale, {
    ...{ style: 'currency', currency: 'USD' },
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals },
  })
}

/** The decimal string of the value that {@link formatDollars} shows, for example `1234.50`. */
export function cutDollars(value: number): string {
  const exact = formatAmount(Number(value.toPrecision(rightDigits)), maxDecimals)
  const plain = exact.replaceAll(',', '')
  const small = /^-?0\.0*[1-9]\d{0,3}/.exec(plain)?.[0]
  return small?.replace(/(\.\d\d.*?)0+$/, '$1') ?? plain.slice(0, plain.indexOf('.') + 3)
}

/** The sum of values in dollars as they are shown; undefined if none is known. */
export function sumDollars(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  const sum = known.reduce((sum, value) => sum + toUnits(cutDollars(value)), 0n)
  return known.length === 0 ? undefined : Number(fromSmallestUnit(sum, maxDecimals))
}

function toUnits(cut: string): bigint {
  const [whole, fraction = ''] = cut.split('.')
  return BigInt(whole + fraction.padEnd(maxDecimals, '0'))
}
