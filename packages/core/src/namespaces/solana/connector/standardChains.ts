import type { ChainId } from '@latchkey/wire'

/** Wallet Standard names of networks, by CAIP-2 id. */
const names: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana:mainnet',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana:devnet',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'solana:testnet',
  'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU': 'solana:localnet',
}

/**
 * The name under which a wallet lists a network: the standard's own, or a CAIP-2 id. Undefined if
 * the wallet does not list it.
 */
export const findSolanaStandardChain = (
  listed: readonly string[],
  chainId: ChainId,
): string | undefined =>
  [names[chainId], chainId].find((name) => name !== undefined && listed.includes(name))

/** The Wallet Standard name of a public network, without its namespace. */
export const getChainName = (chainId: ChainId): string | undefined =>
  publicNames.find((name) => names[chainId] === `solana:${name}`)

const publicNames: readonly string[] = ['mainnet', 'devnet', 'testnet']
