/** The account that tests ask in the name of, on Solana: bytes of 17. */
export const own = '29d2S7vB453rNYFdR5Ycwt7y9haRT5fwVwL9zTmBhfV2'

/** Somebody else: bytes of 34. */
export const other = '3JF3sEqM796hk5WFqA6EtmEwJQ9quALszsfJyvXNQKy3'

export const solanaChain = {
  id: 'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU',
  namespace: 'solana',
  reference: '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU',
  name: 'Solana',
  symbol: 'SOL',
  decimals: 9,
} as const
