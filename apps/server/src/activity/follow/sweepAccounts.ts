import { sql } from 'kysely'
import type { Lease } from './lease.ts'

const retentionDays = 30
const maxPerSweep = 20
/** How long accounts that are not established are kept after their last request. */
const unknownRetentionHours = 24
/** These rarely have rows, and there may be very many. */
const maxUnknownPerSweep = 500

/**
 * Deletes accounts that were not requested for a month, or for a day if nothing established them, a
 * few at a time. They can be indexed again.
 */
export async function sweepAccounts({ db, chainId }: Lease): Promise<void> {
  await sql`
    with old as (
      select id from activity_accounts where chain_id = ${chainId} and not live
        and asked_at < now() - make_interval(days => ${retentionDays})
      order by asked_at limit ${maxPerSweep} for update skip locked
    ), unknown as (
      select id from activity_accounts where chain_id = ${chainId} and not live and standing = 0
        and asked_at < now() - make_interval(hours => ${unknownRetentionHours})
      order by asked_at limit ${maxUnknownPerSweep} for update skip locked
    ), gone as (
      delete from activity_accounts
      where id in (select id from old union select id from unknown) returning id
    ), without_rows as (
      delete from activity_rows using gone where account_id = gone.id
    ), without_approvals as (
      delete from activity_approvals using gone where account_id = gone.id
    )
    delete from activity_transfers using gone where account_id = gone.id`.execute(db)
}
