import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { nativeAddress } from '../evm/address.ts'
import type { Services } from '../services.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import { getExchange } from './exchange.ts'
import { getOutsideName } from './fetchExternalPrices.ts'
import type { ReadPrices } from './openPrices.ts'

type RecordPricesDeps = Pick<Services, 'config' | 'clock' | 'log'> & {
  readonly db: Kysely<Database>
  readonly getListed: GetListedTokens
  readonly readPrices: ReadPrices
}

/**
 * The distance between points, how long to keep all of them, and how long to keep those at whole
 * hours.
 */
const stepMs = 5 * 60_000
const hourMs = 3_600_000
const fineMs = 8 * 24 * hourMs
const keptMs = 370 * 24 * hourMs
/** The most tokens per network. */
const maxTokens = 100

/**
 * Records the current prices of the listed tokens, on networks for which no outside source has
 * earlier prices. A point covers five minutes and is written by the first process that does so;
 * most calls find it written.
 */
export async function recordPrices(deps: RecordPricesDeps): Promise<void> {
  const { db, clock, log, config } = deps
  const at = new Date(Math.floor(clock() / stepMs) * stepMs)
  for (const chainId of Object.keys(config.chains) as ChainId[]) {
    if (!keepsOwnPrices(deps, chainId)) continue
    try {
      await recordChainPrices(deps, { chainId, at })
    } catch (error) {
      log.warn({ err: error, chain: chainId }, 'prices not recorded')
    }
  }
  if (at.getTime() % hourMs === 0) await thinOut(db, at)
}

/** Whether a network's prices come only from its own pools. */
export function keepsOwnPrices({ config }: Pick<Services, 'config'>, chainId: ChainId): boolean {
  const chain = config.chains[chainId]
  const isPriced = chain !== undefined && getExchange(chain) !== undefined
  return isPriced && getOutsideName({ config }, chainId) === undefined
}

async function recordChainPrices(
  { db, getListed, readPrices }: RecordPricesDeps,
  { chainId, at }: { readonly chainId: ChainId; readonly at: Date },
): Promise<void> {
  const written = await db
    .selectFrom('price_points')
    .select('at')
    .where('chain_id', '=', chainId)
    .where('token', '=', nativeAddress)
    .where('at', '=', at)
    .executeTakeFirst()
  if (written !== undefined) return
  const { tokens: listed } = await getListed(chainId)
  const tokens = [...new Set([nativeAddress, ...listed.keys()])].slice(0, maxTokens)
  const quotes = await readPrices({ chainId, tokens })
  const rows = tokens.flatMap((token, index) => {
    const price = quotes[index]?.price
    return price === undefined ? [] : [{ chain_id: chainId, token, at, price: String(price) }]
  })
  if (rows.length === 0) return
  await db
    .insertInto('price_points')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const thinOut = (db: Kysely<Database>, now: Date) =>
  db
    .deleteFrom('price_points')
    .where(({ or, and, eb }) =>
      or([
        eb('at', '<', new Date(now.getTime() - keptMs)),
        and([
          eb('at', '<', new Date(now.getTime() - fineMs)),
          eb(sql`extract(minute from at)`, '<>', 0),
        ]),
      ]),
    )
    .execute()
