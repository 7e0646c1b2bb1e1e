/**
 * The outcome of a transaction. `cancelled` and `replaced`: another transaction of the account took
 * its place, so it will not be in a block. `unknown`: the wait ended without a result.
 */
export type TransactionOutcome = {
  status: 'success' | 'reverted' | 'cancelled' | 'replaced' | 'unknown'
  /** The hash of the transaction in the block, if it is a different one. */
  hash?: string
  /** The user has sent it again with a higher fee. */
  isSpedUp?: true
}
