import { decodeAbiParameters } from 'viem/utils'
import type { Hex } from './hex.ts'

/** A `uint256` that a contract returned, or undefined if the data is not exactly one word. */
export const decodeUint = (data: Hex | undefined): bigint | undefined =>
  data !== undefined && /^0x[0-9a-fA-F]{64}$/.test(data) ? BigInt(data) : undefined

/**
 * The first `count` words that a contract returned, as numbers, or undefined if it returned fewer.
 */
export const decodeWords = (data: Hex | undefined, count: number): bigint[] | undefined =>
  data !== undefined && data.length >= 2 + count * 64 && /^0x[0-9a-fA-F]*$/.test(data)
    ? Array.from({ length: count }, (_, index) =>
        BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`),
      )
    : undefined

/** An address that a contract returned, in lower case; undefined for the zero address. */
export const decodeAddress = (data: Hex | undefined): Hex | undefined =>
  data !== undefined && /^0x0{24}[0-9a-fA-F]{40}$/.test(data) && BigInt(data) !== 0n
    ? `0x${data.slice(26).toLowerCase()}`
    : undefined

/** A `string` that a contract returned, or undefined if the data is not one. */
export function decodeString(data: Hex | undefined): string | undefined {
  if (data === undefined || data === '0x') return undefined
  try {
    return decodeAbiParameters(stringType, data)[0]
  } catch {
    return undefined
  }
}

const stringType = [{ type: 'string' }] as const
