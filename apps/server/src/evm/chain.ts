import type { ChainId } from '@latchkey/wire'

const prefix = 'eip155:'

/** Whether a CAIP-2 id names an EVM chain. */
export const isEvmChain = (chainId: string): boolean => chainId.startsWith(prefix)

/** The number of an EVM chain in decimal digits: `1` for `eip155:1`. */
export const getChainReference = (chainId: ChainId): string => chainId.slice(prefix.length)

/** The CAIP-2 id of the EVM chain with this number. */
export const toEvmChainId = (reference: string | bigint): ChainId => `eip155:${reference}`
