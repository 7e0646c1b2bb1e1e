import { nameAccount } from '../keys.ts'

/**
 * Tokens of the chain, with the metadata that a wallet shows. The second charges 1 % of each
 * transfer, at most 5.
 */
export const solanaTokens = {
  token: { name: 'Dev USD', symbol: 'dUSD', decimals: 6 },
  feeToken: { name: 'Dev Fee', symbol: 'dFEE', decimals: 9 },
} as const

/** Addresses of the seeded accounts; the same in every start. */
export type SolanaAddresses = {
  /** Mint of an SPL token. */
  readonly token: string
  /** Mint of a Token-2022 token with a transfer fee and its metadata in the mint. */
  readonly feeToken: string
  /** Mint with 0 decimals and a supply of 1. */
  readonly nft: string
  /** Lookup table with the development accounts 0 to 9. */
  readonly lookupTable: string
}

export const seedKeys = {
  payer: nameAccount('payer'),
  token: nameAccount('token'),
  feeToken: nameAccount('fee token'),
  nft: nameAccount('nft'),
  lookupTable: nameAccount('lookup table'),
}

/** {@link SolanaAddresses} of every local chain. */
export const solanaAddresses: SolanaAddresses = {
  token: seedKeys.token.address,
  feeToken: seedKeys.feeToken.address,
  nft: seedKeys.nft.address,
  lookupTable: seedKeys.lookupTable.address,
}
