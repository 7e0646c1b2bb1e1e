import { formatUnits, readDecimal } from '@latchkey/wire'
import { unlimitedFrom } from '../requests/formatAsset.ts'

type Problem = 'form' | 'ambiguous' | 'decimals' | 'zero' | 'max'
type Readings = readonly [whole: string, fraction: string]

/** Formats an amount in the form that users type; undefined if no token has that many units. */
export const formatEditedAmount = (amount: bigint, decimals: number): string | undefined =>
  amount >= unlimitedFrom ? undefined : formatUnits(amount, decimals)

/**
 * Parses a typed amount into smallest units, or describes its problem. The decimal sign is a point,
 * like in the hint, or a comma. A comma that could also group thousands is ambiguous if any of the
 * `locales` has a decimal comma.
 */
export function readAmount(
  typed: string,
  { decimals, max, locales }: { decimals: number; max: bigint; locales: readonly string[] },
): { readonly amount: bigint } | { readonly problem: Problem; readonly readings?: Readings } {
  const read = readDecimal(typed, { locales })
  if (read && 'readings' in read && /[,\uff0c]/.test(typed))
    return { problem: 'ambiguous', readings: read.readings }
  const text = read && ('amount' in read ? read.amount : read.readings[1])
  if (text === undefined) return { problem: 'form' }
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.length > decimals) return { problem: 'decimals' }
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (amount === 0n) return { problem: 'zero' }
  return amount > max ? { problem: 'max' } : { amount }
}
