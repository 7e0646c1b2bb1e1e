import { sql } from 'kysely'
import type { Fees } from '../operations/market.ts'
import { type Place, type StoredOperation, toOperation } from './operationStore.ts'
import { type Caution, isCovered, isProven, pauses, type Trusted } from './standing.ts'

type Limits = {
  readonly limit: number
  /** How much gas the validations and the bytes of all may use together; at least one operation is returned. */
  readonly riskedGas?: bigint
  readonly least?: Fees
  readonly caution?: Caution
}

/**
 * Operations that can be sent now and offer at least these fees: first those that may share a bundle, then the best paying; of one
 * sender in the order of their nonces. Without `least`, whatever they offer. Accounts and paymasters that made a bundle revert pause.
 * `caution` is for accounts that have had no operation in a block since: theirs are alone in their bundles, or wait. With `strict`, all are
 * alone, and only those go that risk little of the bundler's gas in proportion to what they have paid for.
 */
export async function listReady(
  { db, chainId, trustedPaymaster }: Place & Trusted,
  { limit, riskedGas, least = { fee: 0n, tip: 0n }, caution = 'none' }: Limits,
): Promise<StoredOperation[]> {
  const proven = isProven('o', { trustedPaymaster })
  const covered = isCovered('o', { trustedPaymaster })
  const mayGo = {
    none: sql`true`,
    alone: sql`true`,
    stop: proven,
    strict: sql`(${proven} and ${covered})`,
  }[caution]
  const isAlone = {
    none: sql`false`,
    alone: sql`not ${proven}`,
    stop: sql`false`,
    strict: sql`true`,
  }
  const most = riskedGas === undefined ? null : String(riskedGas)
  // Whole operations are read only once it is known which: they may be large.
  const { rows } = await sql<Parameters<typeof toOperation>[0]>`
    with ready as (
      select hash, case when ${isAlone[caution]} then 1 else together end as most,
        max_priority_fee::numeric as tip, nonce::numeric as turn, coalesce(risked_gas, 0) as risked
      from user_operations as o
      where chain_id = ${chainId} and status = 'pending' and ${mayGo} and not ${pauses('o')}
      and max_priority_fee::numeric >= ${String(least.tip)}::numeric
      and (max_fee is null or max_fee >= ${String(least.fee)}::numeric)
      and (not_before is null or not_before <= now())
    ), ranked as (
      select hash, most, row_number() over turns as place, sum(risked) over turns - risked as before
      from ready window turns as (order by most desc nulls first, tip desc, turn, hash rows unbounded preceding)
    )
    select o.*, r.most as together from ranked as r join user_operations as o on o.chain_id = ${chainId} and o.hash = r.hash
    where r.place <= ${limit} and (r.place = 1 or ${most}::numeric is null or r.before < ${most}::numeric)
    order by r.place`.execute(db)
  return rows.map(toOperation)
}
