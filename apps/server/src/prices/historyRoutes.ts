import { fungibleHistory, type PricePoint } from '@latchkey/wire'
import { Hono } from 'hono'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { nativeAddress } from '../evm/address.ts'
import { badRequest, failureResponse } from '../http/failure.ts'
import { findChain } from '../http/findChain.ts'
import { parseQuery } from '../http/parse.ts'
import type { Kv } from '../kv/kv.ts'
import type { Services } from '../services.ts'
import { tokenKey } from '../tokens/token.ts'
import { keepsOwnPrices } from './keepPrices.ts'
import { priceNumber } from './price.ts'
import { getOutsideName } from './readOutside.ts'
import { type HistoryQuery, periodSteps, readOutsideHistory } from './readOutsideHistory.ts'

type Needs = Pick<Services, 'config' | 'clock' | 'log'> & {
  readonly db: Kysely<Database>
  readonly kv: Kv
}

const cacheSeconds = 120

/** `GET /v1/fungible/history`: from the outside source where the network has one, otherwise from what this server kept. */
export const priceHistoryRoutes = (needs: Needs): Hono =>
  new Hono().get(fungibleHistory.path, async (c) => {
    const query = parseQuery(c, fungibleHistory.query)
    if (query instanceof Response) return query
    const [, chain, address] =
      /^([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):([a-zA-Z0-9]{1,64})$/.exec(query.address) ?? []
    if (address === undefined)
      return failureResponse(badRequest('address', 'Not a CAIP-10 address'))
    const known = findChain(needs.config, chain)
    if ('failure' in known) return failureResponse(known.failure)
    const { chainId } = known
    const points = await readHistory(needs, {
      chainId,
      token: address === 'native' ? nativeAddress : tokenKey(address),
      period: query.period,
    })
    if (points === undefined) return failureResponse(unavailable)
    return c.json({ points }, 200, { 'cache-control': 'public, max-age=120' })
  })

/** Undefined where the source is away. */
async function readHistory(needs: Needs, query: HistoryQuery): Promise<PricePoint[] | undefined> {
  const { chainId, token, period } = query
  if (getOutsideName(needs, chainId) === undefined)
    return keepsOwnPrices(needs, chainId) ? readKept(needs, query) : []
  const key = `price-history:${chainId}:${token}:${period}`
  const cached = await needs.kv.get(key)
  if (cached !== undefined) return JSON.parse(cached) as PricePoint[]
  const points = await readOutsideHistory(needs, query)
  if (points !== undefined) await needs.kv.set(key, JSON.stringify(points), cacheSeconds)
  return points
}

/** The last price of each step. */
async function readKept(
  { db, clock }: Needs,
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

const unavailable = {
  status: 503,
  field: 'address',
  description: 'Fungibles price provider is temporarily unavailable',
  retryAfterSeconds: 5,
} as const
