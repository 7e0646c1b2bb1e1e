/**
 * The local Solana chain. Its genesis hash is its own, never a real network's, so that nothing can
 * take one for the other. The CAIP-2 reference is the first 32 characters.
 */
export const solanaChain = {
  id: 'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU',
  genesisHash: '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vUnGzeCe1P1dFz',
  name: 'Latchkey Solana',
  nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
} as const

/** CAIP-2 id of the local Solana chain. */
export type SolanaChainId = typeof solanaChain.id

/** Program addresses that the chain gives a meaning to. */
export const programs = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  oldMemo: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  newMemo: 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
  lookupTable: 'AddressLookupTab1e1111111111111111111111111',
} as const
