import { sql } from 'kysely'
import type { Fees } from '../operations/market.ts'
import { type ChainDatabase, type StoredOperation, toOperation } from './operationStore.ts'
import { type Caution, isCovered, isProven, pauses, type Trusted } from './standing.ts'

type Limits = {
  readonly limit: number
  /**
   * How much gas the validations and the bytes of all may use together; at least one operation is
   * returned.
   */
  readonly riskedGas?: bigint
  readonly least?: Fees
  readonly caution?: Caution
}

/**
 * The operations that can be sent now and offer at least the fees in `least`, if given. Operations
 * that may share a bundle come first, then the best paying; operations of one sender follow their
 * nonces. Accounts and paymasters that made a bundle revert pause. `caution` limits accounts
 * without an operation in a block since then: their operations are alone in their bundles, or wait.
 * With `strict`, each operation is alone, and goes only if it risks little gas in proportion to the
 * gas that its account and paymaster have paid for.
 */
export async function listReady(
  { db, chainId, trustedPaymaster }: ChainDatabase & Trusted,
  { limit, riskedGas, least = { fee: 0n, tip: 0n }, caution = 'none' }: Limits,
): Promise<StoredOperation[]> {
  const proven = isProven('o', { trustedPaymaster })
  const covered = isCovered('o', { trustedPaymaster })
  const { mayGo, isAlone } = {
    none: { mayGo: sql`true`, isAlone: sql`false` },
    alone: { mayGo: sql`true`, isAlone: sql`not ${proven}` },
    stop: { mayGo: proven, isAlone: sql`false` },
    strict: { mayGo: sql`(${proven} and ${covered})`, isAlone: sql`true` },
  }[caution]
  const most = riskedGas === undefined ? null : String(riskedGas)
  // Whole operations are read only after they are chosen, because they may be large.
  const { rows } = await sql<Parameters<typeof toOperation>[0]>`
    with ready as (
      select hash, case when ${isAlone} then 1 else together end as most,
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
