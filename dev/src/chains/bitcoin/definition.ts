/**
 * The local Bitcoin chain: regtest's rules and address prefixes with a separate genesis block, so
 * that it cannot be confused with another network. The CAIP-2 reference is the first 32 characters
 * of the hash.
 */
export const bitcoinChain = {
  id: 'bip122:5c66f8fcc1e9488fef9402b1af48d8e7',
  genesisHash: '5c66f8fcc1e9488fef9402b1af48d8e7d46887449942aa2e82ed7d151cd1b885',
  name: 'Latchkey Bitcoin',
  nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
} as const

/** Prefixes of addresses and keys, as every regtest has them: `bcrt1…`, `m…`, `n…` and `2…`. */
export const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef } as const

/** Satoshis in one bitcoin. */
export const satoshisPerBitcoin = 100_000_000n
