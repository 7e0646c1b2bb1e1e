/** Ids of one Solana chain: by genesis block, then as older wallets name it. */
export const solanaIds: readonly (readonly `solana:${string}`[])[] = [
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K'],
]

/** References of Solana's public networks (CAIP-2), by the names that sign-in messages use. */
export const solanaClusters: ReadonlyMap<string, string> = new Map([
  ['mainnet', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['devnet', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ['testnet', '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'],
])
