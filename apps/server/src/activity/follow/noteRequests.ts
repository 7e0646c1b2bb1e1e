import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { hexToBytes } from '../../evm/hex.ts'
import type { Asker, FollowedAccount } from '../activity.ts'

/**
 * How many accounts of a chain a client may have established in a day, and all clients of its
 * network together. Accounts beyond these are followed as long as there is room.
 */
export type AskerShare = { readonly perAddress: number; readonly perNetwork: number }

const defaultShare: AskerShare = { perAddress: 100, perNetwork: 1_000 }

/**
 * How long a client's request establishes an account, and until when the next one makes it an older
 * one.
 */
export const standingHours = 48
const renewHours = 24
const olderHours = 72

/**
 * Records that accounts were requested; `watched` if someone listens to their events. An account is
 * established by a client within its share, by the server itself (without `asker`), or by being a
 * user's wallet.
 */
export async function noteRequests(
  db: Kysely<Database>,
  accounts: readonly FollowedAccount[],
  by: {
    readonly watched: 'watched' | 'once'
    readonly asker?: Asker | undefined
    readonly share?: AskerShare | undefined
  },
): Promise<void> {
  const { watched, asker, share = defaultShare } = by
  const watchedAt = watched === 'watched' ? sql`now()` : sql`'epoch'::timestamptz`
  const address = asker?.address ?? null
  const network = asker?.network ?? null
  await sql`with asked as (
      select *, exists (
          select from wallets where lower(eip155) = '0x' || encode(address, 'hex')) as owned
      from unnest(
        ${accounts.map(({ chainId }) => chainId)}::text[],
        ${accounts.map(({ address }) => hexToBytes(address))}::bytea[]) as asked(chain_id, address)
    ), granted as (
      select *, (owned or ${asker === undefined} or (
        (select count(*) from activity_accounts own where own.chain_id = asked.chain_id
          and own.asked_by = ${address}::int4
          and own.stood_at > now() - make_interval(hours => ${renewHours})) < ${share.perAddress}
        and (select count(*) from activity_accounts near where near.chain_id = asked.chain_id
          and near.asked_near = ${network}::int4
          and near.stood_at > now() - make_interval(hours => ${renewHours})) < ${share.perNetwork}
      )) as grants from asked
    )
    insert into activity_accounts as a
      (chain_id, address, asked_at, watched_at, standing, stood_at, asked_by, asked_near)
    select chain_id, address, now(), ${watchedAt},
      case when not grants then 0 when owned then 2 else 1 end,
      case when grants then now() else 'epoch' end,
      case when grants then ${address}::int4 end, case when grants then ${network}::int4 end
    from granted order by chain_id, address
    on conflict (chain_id, address) do update
    set asked_at = excluded.asked_at, watched_at = greatest(a.watched_at, excluded.watched_at),
      standing = case when ${isRenewed} then
          case when a.stood_at > now() - make_interval(hours => ${olderHours}) then 2
            else excluded.standing end
        else a.standing end,
      stood_at = case when ${isRenewed} then excluded.stood_at else a.stood_at end,
      asked_by = case when ${isRenewed} then excluded.asked_by else a.asked_by end,
      asked_near = case when ${isRenewed} then excluded.asked_near else a.asked_near end`.execute(
    db,
  )
}

/** Whether a request renews an account's standing, which is otherwise kept for a day. */
const isRenewed = sql`excluded.standing > 0
  and a.stood_at <= now() - make_interval(hours => ${renewHours})`
