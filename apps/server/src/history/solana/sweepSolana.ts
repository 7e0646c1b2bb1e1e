import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'

type Limits = { readonly accounts: number; readonly transactions: number }

const defaultLimits: Limits = { accounts: 100_000, transactions: 1_000_000 }

/**
 * Deletes stored histories if there are too many: an attacker can request the histories of any
 * number of accounts. Beyond the limit of transactions, the accounts with most of them are deleted;
 * beyond the limit of accounts, the least recently read ones.
 */
export async function sweepSolana(
  db: Kysely<Database>,
  limits: Limits = defaultLimits,
): Promise<void> {
  await sql`
    delete from solana_accounts where id in (
      select account_id from (
        select account_id, sum(count(*)) over (order by count(*), account_id) as kept
          from solana_transactions group by account_id
      ) sums where kept > ${limits.transactions})`.execute(db)
  await sql`
    delete from solana_accounts where id in (
      select id from solana_accounts order by refreshed_at desc nulls last, id desc
        offset ${limits.accounts})`.execute(db)
}
