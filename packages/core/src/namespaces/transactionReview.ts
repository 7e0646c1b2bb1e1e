import type { ChainId } from '@latchkey/wire'

/** What a transaction spends; values are in the network's smallest unit. */
export type ReviewInput = {
  /** Undefined for a script that has no address. */
  address: string | undefined
  value: bigint
  /** Whether it belongs to the connected account, or is signed as if it did. */
  isOwn: boolean
  isSigned: boolean
}

/** What a transaction pays. */
export type ReviewOutput = {
  address: string | undefined
  /** What an output says that pays nobody. */
  data?: string
  value: bigint
  /** Whether it pays to an address of the connected account. */
  isOwn: boolean
}

/**
 * What can be wrong with a transaction.
 * - `outputsChangeable`, `inputsAddable`: what the signatures leave open to others.
 * - `falseChange`: the request calls an output change that pays to another account.
 * - `nothingBack`: the account gets nothing back of what it puts in.
 * - `feeHigh`: the fee is more than what is paid, or a rate that nobody needs.
 * - `foreignSigner`: an address is to sign that is not one of those that are connected.
 * - `feeUnknown`: it pays more than it spends, so somebody has to add to it.
 * - `unproven`: what the inputs hold is only what the request says.
 * - `inscriptions`: a small output of a Taproot address is spent, as wallets keep inscriptions in.
 * - `tokensMoved`: an output without an address says who gets the tokens (runes) of the inputs.
 */
export type ReviewDanger =
  | 'outputsChangeable'
  | 'inputsAddable'
  | 'falseChange'
  | 'nothingBack'
  | 'feeHigh'
  | 'foreignSigner'
  | 'feeUnknown'
  | 'unproven'
  | 'inscriptions'
  | 'tokensMoved'

/** A transaction that a wallet is to sign, as a person sees it first. */
export type TransactionReview = {
  chainId: ChainId
  inputs: readonly ReviewInput[]
  outputs: readonly ReviewOutput[]
  /** What leaves the account, its part of the fee included. */
  leaves: bigint
  /** Of the whole transaction; negative where inputs are missing. */
  fee: bigint
  /** Smallest units for each virtual byte, estimated; undefined where that cannot be known. */
  feeRate: number | undefined
  dangers: readonly ReviewDanger[]
}
