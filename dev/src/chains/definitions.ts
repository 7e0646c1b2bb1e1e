/**
 * The local EVM chains. Their ids are their own, never a real network's: a signature made here must
 * not be replayable elsewhere. The second is of the OP stack: in addition to its gas, a transaction
 * pays for its data.
 */
export const chainDefinitions = {
  'eip155:31337': {
    chainId: 31_337,
    name: 'Latchkey One',
    port: 'evm',
    tokensPerAccount: 12_500n,
    isRollup: false,
  },
  'eip155:31338': {
    chainId: 31_338,
    name: 'Latchkey Two',
    port: 'evm2',
    tokensPerAccount: 4_000n,
    isRollup: true,
  },
} as const

/** CAIP-2 id of a local EVM chain. */
export type DevChainId = keyof typeof chainDefinitions

/** The ids of {@link chainDefinitions}, in order. */
export const devChainIds = Object.keys(chainDefinitions) as DevChainId[]

/** The native currency of both. */
export const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 } as const
