import { formatUnits } from '@latchkey/wire'
import { unlimitedFrom } from '../requests/formatAsset.ts'

type Problem = 'form' | 'decimals' | 'zero' | 'max'

/** The amount as people type it; undefined if no token has as many units. */
export const formatAmount = (amount: bigint, decimals: number): string | undefined =>
  amount >= unlimitedFrom ? undefined : formatUnits(amount, decimals)

/**
 * Reads a typed amount into smallest units, or says what is wrong with it. Digits of Arabic and Persian keyboards count; a
 * comma does not, because it means something else in other countries.
 */
export function readAmount(
  typed: string,
  { decimals, max }: { decimals: number; max: bigint },
): { readonly amount: bigint } | { readonly problem: Problem } {
  const text = toAsciiDigits(typed).trim()
  const [, whole, fraction = ''] = /^(\d*)(?:\.(\d*))?$/.exec(text) ?? []
  if (whole === undefined || whole + fraction === '') return { problem: 'form' }
  if (fraction.replace(/0+$/, '').length > decimals) return { problem: 'decimals' }
  const amount = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  if (amount === 0n) return { problem: 'zero' }
  return amount > max ? { problem: 'max' } : { amount }
}

const toAsciiDigits = (text: string) =>
  text
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) % 16))
    .replace('\u066b', '.')
