import type { ChainId } from '@latchkey/wire'

const prefix = 'solana:'

/** Whether a CAIP-2 id names a Solana chain. */
export const isSolanaChain = (chainId: string): boolean => chainId.startsWith(prefix)

/** What names a Solana chain in its CAIP-2 id: the first 32 characters of the genesis block's hash. */
export const getGenesisPrefix = (chainId: ChainId): string => chainId.slice(prefix.length)
