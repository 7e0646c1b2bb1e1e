import { readDigits } from './readDigits.ts'

/**
 * The meaning of a typed amount: a decimal string with a point, or two of them if only the user can
 * choose.
 */
export type TypedDecimal =
  | { readonly amount: string }
  | { readonly readings: readonly [whole: string, fraction: string] }

/**
 * Parses an amount that a user typed or pasted: with any script's digits, with groups, and with a
 * point or a comma before its decimals. `1,000` is a thousand only if the `locales` (BCP 47) all
 * write decimals with a point. Otherwise both readings are returned, because this product prints
 * amounts with a point in every locale. `symbol` may come before or after the number. Returns
 * undefined for anything else.
 */
export function readDecimal(
  typed: string,
  { locales, symbol = '' }: { locales: readonly string[]; symbol?: string | undefined },
): TypedDecimal | undefined {
  const text = toPlainText(typed, symbol)
  const english = readWith('.', text)
  const other = readWith(',', text)
  if (english === undefined || other === undefined || english === other) {
    const amount = english ?? other
    return amount === undefined ? undefined : { amount }
  }
  if (!locales.some(writesComma)) return { amount: english }
  return { readings: text.includes(',') ? [english, other] : [other, english] }
}

/**
 * ASCII digits and separators, without the symbol, a currency's sign, and the invisible characters
 * that copying adds.
 */
function toPlainText(typed: string, symbol: string): string {
  const text = typed
    .replace(/[\u061c\u200b-\u200f\u202a-\u202d\u2060\u2066-\u2069\ufeff]/g, '')
    .replace(/\p{Nd}/gu, readDigits)
    .replace(/[\uff0e\uff61\u3002]/g, '.')
    .replace(/[\uff0c\u060c\u3001]/g, ',')
    .replace(/[\u2018\u2019\u02bc\uff07]/g, "'")
    .replace(/\s/g, ' ')
    .trim()
  return withoutSymbol(text, symbol)
    .replace(/^\+ ?/, '')
    .replace(/^[A-Z]{0,3}\p{Sc} ?| ?\p{Sc}$/gu, '')
}

// Only with a space between: the digits of a token's name must not be taken off an amount.
function withoutSymbol(text: string, symbol: string): string {
  const [upper, beside] = [text.toUpperCase(), symbol.toUpperCase()]
  if (beside === '') return text
  if (upper.endsWith(` ${beside}`)) return text.slice(0, -beside.length).trim()
  return upper.startsWith(`${beside} `) ? text.slice(beside.length).trim() : text
}

/** The number if `point` is its decimal separator, without insignificant zeros. */
function readWith(point: '.' | ',', text: string): string | undefined {
  const { plain, grouped } = patterns[point]
  const { whole, fraction = '' } = (plain.exec(text) ?? grouped.exec(text))?.groups ?? {}
  if (whole === undefined || whole + fraction === '') return undefined
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0'
  const rest = fraction.replace(/0+$/, '')
  return rest === '' ? digits : `${digits}.${rest}`
}

/** Groups of three, or of two as in India, with the same separator throughout. */
const patterns = {
  '.': {
    plain: /^(?<whole>\d*)(?:[.\u066b](?<fraction>\d*))?$/,
    grouped:
      /^(?<whole>[1-9]\d{0,2}(?<group>[ '_\u066c,])(?:\d{2,3}\k<group>)*\d{3})(?:[.\u066b](?<fraction>\d*))?$/,
  },
  ',': {
    plain: /^(?<whole>\d*)(?:[,\u066b](?<fraction>\d*))?$/,
    grouped:
      /^(?<whole>[1-9]\d{0,2}(?<group>[ '_\u066c.])(?:\d{2,3}\k<group>)*\d{3})(?:[,\u066b](?<fraction>\d*))?$/,
  },
}

function writesComma(locale: string): boolean {
  try {
    const parts = new Intl.NumberFormat(locale).formatToParts(0.5)
    return parts.some(({ type, value }) => type === 'decimal' && value === ',')
  } catch {
    // Some systems report an invalid locale, such as en-US@posix.
    return false
  }
}
