import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { ApprovalKind } from '../../evm/approvals.ts'
import { bytesToHex, hexToBytes } from '../../evm/hex.ts'
import type { ApprovalPosition, FollowedAccount, GrantedApproval } from '../activity.ts'

/**
 * See `Activity.readApprovals`. The order has no ties, so a position is unambiguous even if earlier
 * rows change.
 */
export async function readApprovals(
  db: Kysely<Database>,
  { chainId, address }: FollowedAccount,
  { after, limit }: { readonly after?: ApprovalPosition | undefined; readonly limit: number },
): Promise<GrantedApproval[]> {
  const { rows } = await sql<{
    kind: ApprovalKind
    contract: Buffer
    spender: Buffer
    token_id: string
    changed_ms: bigint
    own_act: boolean
  }>`
    with granted as (
      select p.kind, p.contract, p.spender, coalesce(p.token_id, -1) as token_id,
        max(p.mined_ms) as changed_ms, coalesce(bool_or(r.sender = a.address), false) as own_act
      from activity_accounts a
      join activity_approvals p on p.account_id = a.id
      left join activity_rows r on r.account_id = p.account_id and r.mined_ms = p.mined_ms
        and r.block = p.block and r.index = p.index
      where a.chain_id = ${chainId} and a.address = ${hexToBytes(address)}
      group by p.kind, p.contract, p.spender, coalesce(p.token_id, -1)
    )
    select * from granted
    where ${
      after === undefined
        ? sql`true`
        : sql`(changed_ms, kind, contract, spender, token_id) < (${after.changedAtMs}::int8,
          ${after.kind}, ${hexToBytes(after.contract)}, ${hexToBytes(after.spender)},
          ${String(after.tokenId ?? -1n)}::numeric)`
    }
    order by changed_ms desc, kind desc, contract desc, spender desc, token_id desc
    limit ${limit}`.execute(db)
  return rows.map((row) => ({
    kind: row.kind,
    contract: bytesToHex(row.contract),
    spender: bytesToHex(row.spender),
    tokenId: row.token_id === '-1' ? undefined : BigInt(row.token_id),
    changedAtMs: Number(row.changed_ms),
    ownAct: row.own_act,
  }))
}
