import type { PricePoint } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Kv } from '../kv/kv.ts'
import type { Services } from '../services.ts'
import { keepsOwnPrices } from './keepPrices.ts'
import { priceNumber } from './price.ts'
import { getOutsideName } from './readOutside.ts'
import { type HistoryQuery, periodSteps, readOutsideHistory } from './readOutsideHistory.ts'

/** What earlier prices are read with. */
export type PriceHistoryNeeds = Pick<Services, 'config' | 'clock' | 'log'> & {
  readonly db: Kysely<Database>
  readonly kv: Kv
}

const cacheSeconds = 120
/** How long a source that failed is not asked again. */
const awaySeconds = 10
const awayKey = 'price-history-away'
/**
 * The last token for which the source did not answer. Another one within this time, and the source
 * is away.
 */
const silentKey = 'price-history-silent'
const silentSeconds = 5

/**
 * What a token cost during a period, the earliest first: from the outside source where the network
 * has one, otherwise what this server kept. Undefined while the source is away, which is remembered
 * for {@link awaySeconds}.
 */
export async function readPriceHistory(
  needs: PriceHistoryNeeds,
  query: HistoryQuery,
): Promise<PricePoint[] | undefined> {
  const { chainId, token, period } = query
  if (getOutsideName(needs, chainId) === undefined)
    return keepsOwnPrices(needs, chainId) ? readKept(needs, query) : []
  const key = `price-history:${chainId}:${token}:${period}`
  const [cached, away] = await needs.kv.getMany([key, awayKey])
  if (cached !== undefined) return (JSON.parse(cached) as PricePoint[] | null) ?? undefined
  if (away !== undefined) return undefined
  const pending = pendingReads.get(needs.kv) ?? new Map<string, Promise<Points>>()
  pendingReads.set(needs.kv, pending)
  const known = pending.get(key)
  if (known !== undefined) return known
  const reading = readAndKeep(needs, { key, query }).finally(() => pending.delete(key))
  pending.set(key, reading)
  return reading
}

type Points = PricePoint[] | undefined

/**
 * One value of an account takes many prices: requests at the same time ask the source once for
 * each.
 */
const pendingReads = new WeakMap<Kv, Map<string, Promise<Points>>>()

async function readAndKeep(
  needs: PriceHistoryNeeds,
  { key, query }: { readonly key: string; readonly query: HistoryQuery },
): Promise<Points> {
  const points = await readOutsideHistory(needs, query)
  if (typeof points === 'object') await needs.kv.set(key, JSON.stringify(points), cacheSeconds)
  // For every token, so that nobody waits again. What one token provokes says nothing about the
  // others.
  else if (points === 'unreachable' || (points === 'silent' && (await isSilent(needs, query))))
    await needs.kv.set(awayKey, '1', awaySeconds)
  else await needs.kv.set(key, 'null', awaySeconds)
  return typeof points === 'object' ? points : undefined
}

/** Whether the source did not answer for another token either, a moment ago. */
async function isSilent({ kv }: PriceHistoryNeeds, { chainId, token }: HistoryQuery) {
  const id = `${chainId}:${token}`
  const last = await kv.get(silentKey)
  await kv.set(silentKey, id, silentSeconds)
  return last !== undefined && last !== id
}

/** The last price of each step. */
async function readKept(
  { db, clock }: PriceHistoryNeeds,
  { chainId, token, period }: HistoryQuery,
): Promise<PricePoint[]> {
  const { minutes, count } = periodSteps[period]
  const from = new Date(clock() - minutes * count * 60_000)
  const { rows } = await sql<{ at: Date; price: string }>`
    select distinct on (step) at, price from (
      select at, price, date_bin(make_interval(mins => ${minutes}::int), at, ${from}::timestamptz) as step
      from price_points where chain_id = ${chainId} and token = ${token} and at >= ${from}
    ) points order by step, at desc`.execute(db)
  return rows.map(({ at, price }) => ({ atMs: at.getTime(), price: priceNumber(BigInt(price)) }))
}
