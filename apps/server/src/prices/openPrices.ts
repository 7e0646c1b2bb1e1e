import { nativeAddress } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { getExchange } from './exchange.ts'
import { fetchExternalPrices } from './fetchExternalPrices.ts'
import { isWithinPercent, type Quote } from './price.ts'
import { type PriceServices, readPoolPrices } from './readPoolPrices.ts'
import { type PriceQuery, rememberPrices } from './rememberPrices.ts'

/**
 * Prices in the order of the tokens, undefined if no source has a recent and liquid price. If an
 * outside source is configured, it comes first and the pools check it: if the two differ by more
 * than 10 %, neither counts. Concurrent requests share one read. Never throws: a source that does
 * not answer has no prices.
 */
export type ReadPrices = (query: PriceQuery) => Promise<(Quote | undefined)[]>

const cacheSeconds = 15
const maxDifferencePercent = 10n

export const openPrices = (deps: PriceServices): ReadPrices =>
  rememberPrices(deps, {
    name: 'price',
    cacheSeconds,
    read: (query) => readSources(deps, query),
  })

/** `isComplete`: every source was read. */
async function readSources(
  deps: PriceServices,
  { chainId, tokens }: PriceQuery,
): Promise<{ readonly prices: Map<string, Quote>; readonly isComplete: boolean }> {
  const chain = deps.config.chains[chainId]
  const wrapped = chain && getExchange(chain)?.wrappedNative
  // The wrapped native token has the price of the native currency.
  const toPoolToken = (token: string) => (token === nativeAddress ? (wrapped ?? token) : token)
  const poolTokens = [...new Set(tokens.map(toPoolToken))].filter(
    (token) => token !== nativeAddress,
  )
  const [pools, outside] = await Promise.all([
    readPoolPrices(deps, { chainId, tokens: poolTokens as Hex[] }).catch((error: unknown) => {
      deps.log.warn({ err: error, chain: chainId }, 'pools not read')
      return undefined
    }),
    fetchExternalPrices(deps, { chainId, tokens }),
  ])
  const entries = tokens.flatMap((token) => {
    const price = choose(outside.prices.get(token), pools?.get(toPoolToken(token) as Hex))
    return price === undefined ? [] : [[token, price] as const]
  })
  return { prices: new Map(entries), isComplete: pools !== undefined && outside.isComplete }
}

function choose(outside: Quote | undefined, pool: Quote | undefined): Quote | undefined {
  if (outside === undefined || pool === undefined) return outside ?? pool
  return isWithinPercent(outside.price, pool.price, maxDifferencePercent) ? outside : undefined
}
