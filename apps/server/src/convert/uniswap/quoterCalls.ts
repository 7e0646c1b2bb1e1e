import { concat, numberToHex, toFunctionSelector } from 'viem/utils'
import type { Hex } from '../../evm/hex.ts'
import { quoterAbi } from './abi.ts'
import type { Path } from './findPaths.ts'

const selector = toFunctionSelector(quoterAbi[0])
const wordDigits = 64
/**
 * `(uint256 amountOut, uint160[], uint32[], uint256 gasEstimate)`: the first word and the fourth.
 */
const outputEnd = 2 + wordDigits
const gasAt = 2 + 3 * wordDigits
const word = (value: bigint | number) => value.toString(16).padStart(wordDigits, '0')

/**
 * Calldata of QuoterV2's `quoteExactInput` for one path and each of the amounts. Written by hand
 * because a quote encodes many calls and spent most of its time here. A test compares it with viem.
 */
export function encodeQuotes(path: Path, amounts: readonly bigint[]): Hex[] {
  const digits = encodePath(path).slice(2)
  const padded = Math.ceil(digits.length / wordDigits) * wordDigits
  const encodedPath = `${word(digits.length / 2)}${digits.padEnd(padded, '0')}`
  const start = `${selector}${word(2 * 32)}` as const
  return amounts.map((amount): Hex => `${start}${word(amount)}${encodedPath}`)
}

/**
 * The output amount and the gas that the quoter returned; undefined if the output is 0. Reads only
 * these two words, because a quote consists of many results.
 */
export function decodeQuote(data: Hex | undefined): { output: bigint; gas: bigint } | undefined {
  if (data === undefined || data.length < gasAt + wordDigits || !/^0x[0-9a-f]*$/i.test(data)) return
  const output = BigInt(data.slice(0, outputEnd))
  return output > 0n
    ? { output, gas: BigInt(`0x${data.slice(gasAt, gasAt + wordDigits)}`) }
    : undefined
}

/** Uniswap V3's encoding of a path: token, fee, token, fee, token. */
export const encodePath = ({ tokens, pools }: Pick<Path, 'tokens' | 'pools'>): Hex =>
  concat(
    tokens.flatMap((token, index) => {
      const pool = pools[index]
      return pool ? [token, numberToHex(pool.fee, { size: 3 })] : [token]
    }),
  )
