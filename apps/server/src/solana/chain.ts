/** Whether a CAIP-2 id names a Solana chain. */
export const isSolanaChain = (chainId: string): boolean => chainId.startsWith('solana:')
