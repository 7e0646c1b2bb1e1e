import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { bytesToHex, hexToBytes } from '../../evm/hex.ts'
import type { Account, AssetChange } from '../activity.ts'

/** See `Activity.readChanges`. */
export async function readChanges(
  db: Kysely<Database>,
  { chainId, address }: Account,
  { sinceMs, stepMs }: { readonly sinceMs: number; readonly stepMs: number },
): Promise<AssetChange[]> {
  const own = hexToBytes(address)
  const { rows } = await sql<{ contract: Buffer | null; step: number; change: string }>`
    with account as (
      select id from activity_accounts where chain_id = ${chainId} and address = ${own}
    ), moved as (
      select nullif(t.contract, ''::bytea) as contract, t.mined_ms,
        case when t.recipient = ${own} then t.amount else 0 end
          - case when t.sender = ${own} then t.amount else 0 end as change
      from account join activity_transfers t on t.account_id = id
      where t.standard in (0, 20) and t.mined_ms >= ${sinceMs}
      union all
      select null, r.mined_ms,
        case when coalesce(r.recipient, r.created) = ${own} and not r.failed then r.value else 0 end
          - case when r.sender = ${own}
              then coalesce(r.fee, 0) + case when r.failed then 0 else r.value end
              else 0 end
      from account join activity_rows r on r.account_id = id
      where r.mined_ms >= ${sinceMs}
    )
    select contract, ((mined_ms - ${sinceMs}) / ${stepMs})::int as step, sum(change)::text as change
    from moved group by 1, 2 having sum(change) <> 0`.execute(db)
  return rows.map(({ contract, step, change }) => ({
    contract: contract === null ? undefined : bytesToHex(contract),
    step,
    change: BigInt(change),
  }))
}
