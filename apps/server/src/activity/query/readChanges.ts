import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { bytesToHex, hexToBytes } from '../../evm/hex.ts'
import type { AssetChange, FollowedAccount } from '../activity.ts'

/** See `Activity.readChanges`. */
export async function readChanges(
  db: Kysely<Database>,
  { chainId, address }: FollowedAccount,
  { sinceMs, stepMs }: { readonly sinceMs: number; readonly stepMs: number },
): Promise<AssetChange[]> {
  const own = hexToBytes(address)
  const { rows } = await sql<{ contract: Buffer | null; step: number; change: string }>`
    with account as (
      select id from activity_accounts where chain_id = ${chainId} and address = ${own}
    ), moved as (
      select nullif(t.contract, ''::bytea) as contract, t.mined_ms,
        ${sumTransfer(own)} as change
      from account join activity_transfers t on t.account_id = id
      where t.standard in (0, 20) and t.mined_ms >= ${sinceMs}
      union all
      select null, r.mined_ms, ${sumTransaction(own)}
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

/**
 * By how much an account's native currency grew in a block, by its rows: of that `moved` by
 * transfers within transactions; and the fees of its transactions.
 */
export type NativeChange = {
  readonly block: number
  readonly change: bigint
  readonly moved: bigint
  readonly fees: bigint
}

/**
 * Reads the changes of an account's native currency by its rows in the blocks `from` to `to`, all
 * mined at `sinceMs` or later.
 */
export async function readNativeChanges(
  db: Kysely<Database>,
  parameters: {
    readonly id: number
    readonly own: Buffer
    readonly from: number
    readonly to: number
    readonly sinceMs: number
  },
): Promise<NativeChange[]> {
  const { id, own, from, to, sinceMs } = parameters
  const { rows } = await sql<{ block: bigint; change: string; moved: string; fees: string }>`
    with moves as (
      select t.block, ${sumTransfer(own)} as moved, 0 as sent, 0 as fees from activity_transfers t
      where t.account_id = ${id} and t.block between ${from} and ${to} and t.standard = 0
      union all
      select r.block, 0, ${sumTransaction(own)},
        case when r.sender = ${own} then coalesce(r.fee, 0) else 0 end
      from activity_rows r
      where r.account_id = ${id} and r.mined_ms >= ${sinceMs} and r.block between ${from} and ${to}
    )
    select block, sum(moved + sent)::text as change, sum(moved)::text as moved,
      sum(fees)::text as fees from moves group by 1`.execute(db)
  return rows.map(({ block, change, moved, fees }) => ({
    block: Number(block),
    change: BigInt(change),
    moved: BigInt(moved),
    fees: BigInt(fees),
  }))
}

/** The amount that a transfer `t` adds to an account. */
const sumTransfer = (own: Buffer) => sql`case when t.recipient = ${own} then t.amount else 0 end
  - case when t.sender = ${own} then t.amount else 0 end`

/** The amount that a transaction `r` itself and its fee add to an account. */
const sumTransaction = (own: Buffer) => sql`
  case when coalesce(r.recipient, r.created) = ${own} and not r.failed then r.value else 0 end
  - case when r.sender = ${own}
      then coalesce(r.fee, 0) + case when r.failed then 0 else r.value end
      else 0 end`
