import { sql } from 'kysely'
import type { Address } from 'viem'
import type { ChainDatabase } from '../mempool/operationStore.ts'
import type { Caution } from '../mempool/standing.ts'

/**
 * The first pause of an account or a paymaster that made a bundle revert; each further one within a
 * day is four times as long.
 */
const pauseSeconds = 30
const maxPauseSeconds = 3_600

/**
 * Records the account that made a bundle revert, so that none of its operations is sent for a
 * while.
 */
export async function blame({ db, chainId }: ChainDatabase, entity: Address): Promise<void> {
  await sql`
    insert into bundle_offenders as o (chain_id, entity, strikes, cooled_at)
    values (${chainId}, ${entity}, 1, now() + make_interval(secs => ${pauseSeconds}))
    on conflict (chain_id, entity) do update set
      strikes = case when o.blamed_at < now() - interval '1 day' then 1 else o.strikes + 1 end,
      blamed_at = now(),
      cooled_at = now() + make_interval(secs => least(${maxPauseSeconds}, ${pauseSeconds} * power(4,
        case when o.blamed_at < now() - interval '1 day' then 0 else least(o.strikes, 6) end)))`.execute(
    db,
  )
}

/**
 * Gas that may be lost in an hour before accounts that have no operation in a block yet have to
 * wait.
 */
const maxLostGas = 5_000_000n

/**
 * Gas that may be lost in an hour before all accounts are limited. Accounts without an operation in
 * a block cannot reach it: one bundle risks less than the difference.
 */
const maxLostGasOfAll = 20_000_000n

/**
 * How careful the bundler is with accounts that have no operation in a block yet: after a bundle
 * was reverted, for an hour, each of their operations is alone in its bundle (`alone`); once that
 * has cost much, they wait (`stop`). So an attacker with new accounts cannot make the bundler lose
 * more. If accounts that had operations in blocks make bundles revert, their operations are alone
 * as well, and are sent only in proportion to the gas that they have paid for (`strict`).
 */
export async function readCaution({ db, chainId }: ChainDatabase): Promise<Caution> {
  const { rows } = await sql<{ lost: string | null }>`select sum(lost_gas)::text as lost
    from user_operation_bundles where chain_id = ${chainId} and lost_gas is not null
    and created_at > now() - interval '1 hour'`.execute(db)
  const lost = BigInt(rows[0]?.lost ?? 0)
  if (lost === 0n) return 'none'
  if (lost < maxLostGas) return 'alone'
  return lost < maxLostGasOfAll ? 'stop' : 'strict'
}
