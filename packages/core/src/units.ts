import { LatchkeyError } from '@latchkey/wire'
import { decimalPattern } from './format.ts'

/**
 * Converts a decimal string in whole units into smallest units, exactly. Throws INVALID_SEND_INPUT
 * for anything that is not a plain decimal number or has more decimals than the currency.
 */
export function toSmallestUnit(amount: string, decimals: number): bigint {
  const match = decimalPattern.exec(amount.trim())
  const fraction = match?.[2] ?? match?.[3] ?? ''
  if (!match || fraction.replace(/0+$/, '').length > decimals)
    throw new LatchkeyError('INVALID_SEND_INPUT')
  return BigInt((match[1] ?? '0') + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/**
 * Converts smallest units into a decimal string in whole units, exactly and without trailing zeros.
 */
export function fromSmallestUnit(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction ? `${whole}.${fraction}` : whole)
}
