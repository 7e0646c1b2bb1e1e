import { LatchkeyError } from '../errors/errors.ts'

/** Ethereum's coin type (SLIP-44). */
export const etherCoinType = 60

const maxChainNumber = 0x80000000

/**
 * The coin type of an EVM network as old clients write it: the chain id with its highest bit set
 * (ENSIP-11), also for Ethereum. Throws INVALID_CHAIN_ID from 2³¹ on.
 */
export function toCoinType(chainNumber: number): number {
  if (!Number.isInteger(chainNumber) || chainNumber < 1 || chainNumber >= maxChainNumber)
    throw new LatchkeyError('INVALID_CHAIN_ID')
  return maxChainNumber + chainNumber
}

/** The EVM chain number of a coin type, or undefined if it belongs to no EVM network. */
export function fromCoinType(coinType: number): number | undefined {
  if (coinType === etherCoinType) return 1
  const isEvm = Number.isInteger(coinType) && coinType > maxChainNumber && coinType <= 0xffffffff
  return isEvm ? coinType - maxChainNumber : undefined
}
