import type { ChainId } from '@latchkey/wire'

/** An input of a transaction; values are in the network's smallest unit. */
export type ReviewInput = {
  /** Undefined for a script without an address. */
  address: string | undefined
  value: bigint
  /** Whether it belongs to the connected account, or is signed as if it did. */
  isOwn: boolean
  isSigned: boolean
}

/** An output of a transaction. */
export type ReviewOutput = {
  address: string | undefined
  /** The data of an output that pays to no address. */
  data?: string
  value: bigint
  /** Whether it pays to an address of the connected account. */
  isOwn: boolean
}

/**
 * The possible dangers of a transaction.
 * - `outputsChangeable`, `inputsAddable`: the signatures let others change this.
 * - `falseChange`: the request marks an output as change, but it pays to another account.
 * - `nothingBack`: nothing goes back to the account.
 * - `feeHigh`: the fee is more than the payment, or far above any useful rate.
 * - `foreignSigner`: an address that is not connected has to sign.
 * - `feeUnknown`: it pays more than it spends, so others have to add inputs.
 * - `unproven`: the values of the inputs are only claimed by the request.
 * - `inscriptions`: it spends a small Taproot output, in which wallets usually keep inscriptions.
 * - `tokensMoved`: an output without an address assigns the tokens (runes) of the inputs.
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

/** A transaction to sign, as shown in the review. */
export type TransactionReview = {
  chainId: ChainId
  inputs: readonly ReviewInput[]
  outputs: readonly ReviewOutput[]
  /** The amount that leaves the account, including its share of the fee. */
  leaves: bigint
  /** The fee of the whole transaction; negative if inputs are missing. */
  fee: bigint
  /** Smallest units per virtual byte, estimated; undefined if it cannot be computed. */
  feeRate: number | undefined
  dangers: readonly ReviewDanger[]
}
