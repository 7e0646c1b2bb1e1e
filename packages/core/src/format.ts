/** Decimals of an amount in a currency. */
const amountDecimals = 2
/** Decimals of a quantity of a token. */
const quantityDecimals = 3

/** A plain decimal number: whole part and fraction, or a fraction alone. */
export const decimalPattern = /^(\d+)(?:\.(\d*))?$|^\.(\d+)$/

/**
 * Formats a decimal string or number for reading: grouped as in en-US, cut (never rounded up) after
 * `decimals`, 2 by default. For a missing or non-numeric value, returns `0.00`.
 */
export function formatAmount(amount: string | number | undefined, decimals = amountDecimals) {
  const text = typeof amount === 'number' ? plain(amount) : (amount ?? '0')
  const negative = text.startsWith('-')
  const match = decimalPattern.exec(negative ? text.slice(1) : text)
  const whole = (match?.[1] ?? '0').replace(/^0+(?=\d)/, '')
  const fraction = (match?.[2] ?? match?.[3] ?? '').slice(0, decimals).padEnd(decimals, '0')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const number = decimals === 0 ? grouped : `${grouped}.${fraction}`
  return negative && /[1-9]/.test(number) ? `-${number}` : number
}

/**
 * A token quantity for display: 3 decimals, truncated and never rounded up. A smaller quantity
 * keeps its first two digits.
 */
export function formatQuantity(quantity: string | number | undefined) {
  const exact = formatAmount(quantity, 99)
  const small = /^-?0\.000+[1-9][1-9]?/.exec(exact)?.[0]
  if (!small) return formatAmount(quantity, quantityDecimals)
  return small.length > 12 ? '<0.00000001' : small
}

// A number's string may have an exponent, which toFixed would round.
function plain(amount: number): string {
  if (!Number.isFinite(amount)) return '0'
  const [mantissa = '0', exponent] = String(amount).split('e')
  if (exponent === undefined) return mantissa
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole = '0', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point)}`
}

const second = 1000
/** Lengths of the labels' units in milliseconds, longest first. */
const steps = [
  ['yr', 365 * 24 * 3600 * second],
  ['mo', 30 * 24 * 3600 * second],
  ['d', 24 * 3600 * second],
  ['hr', 3600 * second],
  ['min', 60 * second],
  ['sec', second],
] as const

/**
 * How long before `nowMs` a moment was, in the largest unit that fits. A future moment counts as
 * now.
 */
export function relativeTime(parameters: { atMs: number; nowMs: number }) {
  const elapsedMs = Math.max(0, parameters.nowMs - parameters.atMs)
  const [unit, lengthMs] = steps.find(([, length]) => elapsedMs >= length) ?? steps[5]
  return { count: Math.floor(elapsedMs / lengthMs), unit }
}
