/** Solana addresses of the same accounts (SLIP-10, `m/44'/501'/i'/0'`). Their keys are public. */
export const solanaAccounts = [
  'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96',
  'AqynRZwvVqUPRwRJXvm6odUb3t93fDjnWe3p6BeuUFxD',
  'CqMbRgMuEhQi9BUS8xP44Wk5nENm48FqJnfjEi4eNb1k',
  '9Tj3srBSxH7RFRCm8uharreY7ZBS49XSfpwCeYa7Xaqp',
  '6gYw7q94fJdEwL8WkT1a6LHBdTMbix1aciALwEWPx3Wp',
] as const

/** The network of this wallet, the local chain: by its Wallet Standard name and its CAIP-2 id. */
export const solanaChains = ['solana:localnet', 'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU'] as const

/** Networks on which the wallet only signs messages, because it has no node for them. */
export const solanaMessageChains = [
  'solana:devnet',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
] as const
