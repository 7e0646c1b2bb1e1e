import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Hex } from '../../evm/hex.ts'
import type { BlockRange } from '../nodes/chainData.ts'
import { storeTransactions } from './storeTransactions.ts'

/** Stores the data of some blocks for an account, in place of all earlier data of these blocks. */
export async function replaceBlocks(
  transaction: Transaction<Database>,
  { id, address }: { readonly id: number; readonly address: Hex },
  { blocks, transactions }: Pick<BlockRange, 'blocks' | 'transactions'>,
): Promise<void> {
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (first === undefined || last === undefined) return
  await sql`delete from activity_rows where account_id = ${id}
    and mined_ms between ${first.minedMs} and ${last.minedMs}
    and block between ${first.number} and ${last.number}`.execute(transaction)
  for (const table of ['activity_transfers', 'activity_approvals'])
    await sql`delete from ${sql.table(table)} where account_id = ${id}
      and block between ${first.number} and ${last.number}`.execute(transaction)
  await storeTransactions(transaction, new Map([[address, id]]), transactions)
}
