import type { PricePoint } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Kv } from '../kv/kv.ts'
import type { Services } from '../services.ts'
import {
  fetchExternalHistory,
  getHistorySpan,
  type HistoryQuery,
  periodSteps,
} from './fetchExternalHistory.ts'
import { getOutsideName } from './fetchExternalPrices.ts'
import { priceNumber } from './price.ts'
import { keepsOwnPrices } from './recordPrices.ts'

/** The dependencies for reading earlier prices. */
export type PriceHistoryDeps = Pick<Services, 'config' | 'clock' | 'log'> & {
  readonly db: Kysely<Database>
  readonly kv: Kv
}

const cacheSeconds = 120
/** The prices of a year that has ended no longer change. */
const endedCacheSeconds = 24 * 3600
/** How long a source that failed gets no further request. */
const awaySeconds = 10
const awayKey = 'price-history-away'
/**
 * The last token for which the source did not answer. If a second token fails within this time, the
 * source counts as unavailable.
 */
const silentKey = 'price-history-silent'
const silentSeconds = 5

/**
 * The prices of a token during a period or a year, the earliest first: from the outside source if
 * the network has one, otherwise the prices that this server recorded. Undefined while the source
 * is unavailable, which is remembered for {@link awaySeconds}.
 */
export async function readPriceHistory(
  deps: PriceHistoryDeps,
  query: HistoryQuery,
): Promise<PricePoint[] | undefined> {
  const { chainId, token, period } = query
  if (getOutsideName(deps, chainId) === undefined)
    return keepsOwnPrices(deps, chainId) ? readKept(deps, query) : []
  const key = `price-history:${chainId}:${token}:${period}`
  const [cached, away] = await deps.kv.getMany([key, awayKey])
  if (cached !== undefined) return (JSON.parse(cached) as PricePoint[] | null) ?? undefined
  if (away !== undefined) return undefined
  const pending = pendingReads.get(deps.kv) ?? new Map<string, Promise<Points>>()
  pendingReads.set(deps.kv, pending)
  const known = pending.get(key)
  if (known !== undefined) return known
  const reading = readAndKeep(deps, { key, query }).finally(() => pending.delete(key))
  pending.set(key, reading)
  return reading
}

type Points = PricePoint[] | undefined

/** The value of an account needs many prices, so concurrent requests share one read for each. */
const pendingReads = new WeakMap<Kv, Map<string, Promise<Points>>>()

async function readAndKeep(
  deps: PriceHistoryDeps,
  { key, query }: { readonly key: string; readonly query: HistoryQuery },
): Promise<Points> {
  const points = await fetchExternalHistory(deps, query)
  const isEnded = getHistorySpan(query.period, deps.clock()).toMs < deps.clock()
  const seconds = isEnded ? endedCacheSeconds : cacheSeconds
  if (typeof points === 'object') await deps.kv.set(key, JSON.stringify(points), seconds)
  // For every token, so that no client waits again. A failure that is specific to one token does
  // not affect the others.
  else if (points === 'unreachable' || (points === 'silent' && (await isSilent(deps, query))))
    await deps.kv.set(awayKey, '1', awaySeconds)
  else await deps.kv.set(key, 'null', awaySeconds)
  return typeof points === 'object' ? points : undefined
}

/** Whether the source also failed to answer for another token a moment ago. */
async function isSilent({ kv }: PriceHistoryDeps, { chainId, token }: HistoryQuery) {
  const id = `${chainId}:${token}`
  const last = await kv.get(silentKey)
  await kv.set(silentKey, id, silentSeconds)
  return last !== undefined && last !== id
}

/** The last price of each step. A period that ends now begins with the last price before it. */
async function readKept(
  { db, clock }: PriceHistoryDeps,
  { chainId, token, period }: HistoryQuery,
): Promise<PricePoint[]> {
  const { fromMs, toMs, minutes } = getHistorySpan(period, clock())
  const [from, to] = [new Date(fromMs), new Date(toMs)]
  const oldest = period in periodSteps ? new Date(fromMs - minutes * 60_000) : from
  const { rows } = await sql<{ at: Date; price: string }>`
    select distinct on (step) at, price from (
      select at, price, date_bin(make_interval(mins => ${minutes}::int), at, ${from}::timestamptz) as step
      from price_points where chain_id = ${chainId} and token = ${token} and at between ${oldest} and ${to}
    ) points order by step, at desc`.execute(db)
  return rows.map(({ at, price }) => ({ atMs: at.getTime(), price: priceNumber(BigInt(price)) }))
}
