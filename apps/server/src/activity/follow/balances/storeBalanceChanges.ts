import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../db/database.ts'
import { type Hex, hexToBytes } from '../../../evm/hex.ts'
import type { UnexplainedChange } from './findChanges.ts'

/** The place in a block of a change without a transaction: after all transactions. */
const changeIndex = 2 ** 31 - 2

/**
 * Stores changes of an account's native balance that no transaction explains, each as a row with
 * one transfer.
 */
export async function storeBalanceChanges(
  transaction: Transaction<Database>,
  { id, address }: { readonly id: number; readonly address: Hex },
  changes: readonly UnexplainedChange[],
): Promise<void> {
  const none = Buffer.alloc(0)
  const own = hexToBytes(address)
  for (const { after, block, amount } of changes) {
    const [sender, recipient] = amount > 0n ? [none, own] : [own, none]
    const moved = (amount > 0n ? amount : -amount).toString()
    await sql`insert into activity_rows
        (account_id, mined_ms, block, index, hash, sender, nonce, value, failed, since_block)
      values (${id}, ${block.minedMs}, ${block.number}, ${changeIndex}, ${none}, ${none}, 0, 0, false, ${after})
      on conflict do nothing`.execute(transaction)
    await sql`insert into activity_transfers (account_id, block, index, position, standard,
        contract, sender, recipient, amount, mined_ms)
      values (${id}, ${block.number}, ${changeIndex}, 0, 0, ${none}, ${sender}, ${recipient},
        ${moved}::numeric, ${block.minedMs})
      on conflict do nothing`.execute(transaction)
  }
}
