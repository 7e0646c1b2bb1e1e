/**
 * The end of a transaction. `cancelled` and `replaced`: another transaction of the account took its
 * place, so it will not be in a block. `unknown`: waiting has ended without an answer.
 */
export type TransactionOutcome = {
  status: 'success' | 'reverted' | 'cancelled' | 'replaced' | 'unknown'
  /** The transaction in the block, if that is another one. */
  hash?: string
  /** The user has sent it again with a higher fee. */
  isSpedUp?: true
}
