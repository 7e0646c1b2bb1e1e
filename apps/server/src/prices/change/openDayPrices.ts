import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { fetchExternalPrices, getOutsideName } from '../fetchExternalPrices.ts'
import type { ReadPrices } from '../openPrices.ts'
import type { Quote } from '../price.ts'
import { keepsOwnPrices } from '../recordPrices.ts'
import { type PriceQuery, rememberPrices } from '../rememberPrices.ts'

/** Without a database, only the outside source has prices. */
type DayPricesDeps = Pick<Services, 'kv' | 'log' | 'config' | 'clock'> & {
  readonly db: Kysely<Database> | undefined
}

const dayMs = 24 * 3_600_000
/** The server records a price in each step. */
const stepMs = 5 * 60_000
/** Recorded prices that are older than a day by more than this do not count. */
const maxOlderMs = 3_600_000
const cacheSeconds = 300

/**
 * Opens the prices of a day ago: from the outside source if the network has one, otherwise the
 * prices that this server recorded. The missing prices of a query take one request.
 */
export const openDayPrices = (deps: DayPricesDeps): ReadPrices =>
  rememberPrices(deps, {
    name: 'day-price',
    cacheSeconds,
    read: (query) => {
      const atMs = Math.floor((deps.clock() - dayMs) / stepMs) * stepMs
      return getOutsideName(deps, query.chainId) === undefined
        ? readRecorded(deps, { ...query, atMs })
        : fetchExternalPrices(deps, { ...query, atMs })
    },
  })

/** The last price of each token until `atMs`. */
async function readRecorded(
  deps: DayPricesDeps,
  { chainId, tokens, atMs }: PriceQuery & { readonly atMs: number },
) {
  const { db } = deps
  if (db === undefined || !keepsOwnPrices(deps, chainId))
    return { prices: new Map<string, Quote>(), isComplete: true }
  const rows = await db
    .selectFrom('price_points')
    .distinctOn('token')
    .select(['token', 'at', 'price'])
    .where('chain_id', '=', chainId)
    .where('token', 'in', tokens)
    .where('at', '<=', new Date(atMs))
    .where('at', '>=', new Date(atMs - maxOlderMs))
    .orderBy('token')
    .orderBy('at', 'desc')
    .execute()
  const prices = rows.map(({ token, at, price }): [string, Quote] => [
    token,
    { price: BigInt(price), seenAtMs: at.getTime(), source: 'recorded' },
  ])
  return { prices: new Map(prices), isComplete: true }
}
