import type { ColumnType, Generated } from 'kysely'
import type { SolanaFacts } from './parseTransaction.ts'

/**
 * An account whose history was requested. `refreshed_at` is when its newest transactions were last
 * read.
 */
type SolanaAccountTable = {
  id: Generated<number>
  chain_id: string
  address: string
  refreshed_at: Date | null
}

/**
 * A list of signatures, of the account itself or of a token account. `newest` is the newest known
 * final signature. The list continues before `oldest`, and is `complete` if nothing comes before
 * it.
 */
type SolanaListTable = {
  account_id: number
  address: string
  newest: string | null
  oldest: string | null
  oldest_slot: bigint | null
  complete: Generated<boolean>
}

/**
 * A transaction of an account; `facts` once it was read, `final` when it can no longer be rolled
 * back.
 */
type SolanaTransactionTable = {
  account_id: number
  slot: bigint
  signature: string
  mined_ms: bigint
  failed: boolean
  final: boolean
  facts: ColumnType<SolanaFacts | null, string | null, string | null>
}

/** The tables of the history on Solana (0008_solana_history). */
export type SolanaHistoryTables = {
  solana_accounts: SolanaAccountTable
  solana_lists: SolanaListTable
  solana_transactions: SolanaTransactionTable
}
