import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** The limit for all, in addition to the limits of accounts and clients. */
export const everybody = 'all'

/** Prevents other transactions from counting on the chain until this transaction ends. */
export const lockSponsorships = (
  transaction: Kysely<Database>,
  chainId: ChainId,
): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`sponsorships ${chainId}`}, 0))`.execute(
    transaction,
  )

/** Adds wei to a counter of a day; a negative number subtracts. */
export const addToDay = (
  transaction: Kysely<Database>,
  {
    chainId,
    day,
    who,
    wei,
  }: {
    readonly chainId: ChainId
    readonly day: string
    readonly who: string
    readonly wei: bigint
  },
): Promise<unknown> =>
  sql`insert into sponsored_days as d (chain_id, account, day, wei)
    values (${chainId}, ${who}, ${day}::date, ${String(wei)}::numeric)
    on conflict (chain_id, account, day) do update set wei = d.wei + excluded.wei`.execute(
    transaction,
  )

/** The day of a time in milliseconds since 1970 (UTC), in the form 2026-01-31. */
export const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
