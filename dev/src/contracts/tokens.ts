/** The ERC-20 tokens of both chains. `poolAmount`: whole tokens in the pool, against 1000 ether. */
export const devTokens = {
  usd: { name: 'Dev USD', symbol: 'dUSD', decimals: 6, poolAmount: 3_000_000n },
  btc: { name: 'Dev BTC', symbol: 'dBTC', decimals: 8, poolAmount: 50n },
  gold: { name: 'Dev Gold', symbol: 'dGLD', decimals: 18, poolAmount: 1_250n },
} as const

/**
 * A token worth one euro, at 1.10 dUSD. It is on no token list and no account holds it: its pool
 * provides the euro's price.
 */
export const devEuro = { name: 'Dev EUR', symbol: 'dEUR', decimals: 6 } as const

/** Wrapped ether, the fourth token. */
export const wrappedEther = { name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 } as const
