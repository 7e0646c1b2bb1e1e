/**
 * The ERC-20 tokens of both chains. `poolAmount`: whole tokens beside the 1000 ether of its pool.
 */
export const devTokens = {
  usd: { name: 'Dev USD', symbol: 'dUSD', decimals: 6, poolAmount: 3_000_000n },
  btc: { name: 'Dev BTC', symbol: 'dBTC', decimals: 8, poolAmount: 50n },
  gold: { name: 'Dev Gold', symbol: 'dGLD', decimals: 18, poolAmount: 1_250n },
} as const

/**
 * A token that is worth a euro, at 1.10 dUSD. On no token list, and nobody holds it: its pool gives
 * the euro's price.
 */
export const devEuro = { name: 'Dev EUR', symbol: 'dEUR', decimals: 6 } as const

/** Wrapped ether, the fourth token. */
export const wrappedEther = { name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 } as const
