import { type ChainId, parseChainId } from '@latchkey/wire'

/**
 * Solana's chains have numbers in token lists only. A chain that is missing here is a local chain.
 */
const solanaNumbers: Readonly<Record<string, number>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 101,
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 102,
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 103,
}
const localSolana = 104

/** The `chainId` that token lists use for a chain; NaN for chains that no list can contain. */
export function getListNumber(chainId: ChainId): number {
  const { namespace, reference } = parseChainId(chainId)
  if (namespace === 'eip155') return Number(reference)
  return namespace === 'solana' ? (solanaNumbers[chainId] ?? localSolana) : Number.NaN
}
