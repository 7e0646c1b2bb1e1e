/** Polkadot's test network as the development wallet signs for it. No node of it runs here. */
export const westend = {
  /** CAIP-2. */
  id: 'polkadot:e143f23803ac50e8f6f8e62695d1ce9e',
  name: 'Westend',
  nativeCurrency: { symbol: 'WND', decimals: 12 },
  /** Number of the pallet whose calls send the native currency. */
  balancesPallet: 4,
} as const
