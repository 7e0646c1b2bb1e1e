import { type Price, priceScale } from './price.ts'

/** A decimal number in words (`1.5`, `2e-7`) as a price, its digits beyond 18 places dropped; undefined when that is not above 0. */
export function parseDecimal(text: string): Price | undefined {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? []
  if (whole === '') return undefined
  const shift = BigInt(exponent) - BigInt(fraction.length)
  const digits = BigInt(whole + fraction) * priceScale
  const price = shift < 0n ? digits / 10n ** -shift : digits * 10n ** shift
  return price > 0n ? price : undefined
}
