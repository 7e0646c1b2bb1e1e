import type { ChainId } from '@latchkey/wire'
import { nativeAddress } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { tokenKey } from '../tokens/token.ts'
import { getExchange } from './exchange.ts'
import { fetchExternalPrices } from './fetchExternalPrices.ts'
import { isWithinPercent, type Quote } from './price.ts'
import { type PriceServices, readPoolPrices } from './readPoolPrices.ts'

/**
 * Tokens of one chain by address, the native currency as 0xeeee…eeee; `pass` bypasses the cache.
 */
type PriceQuery = {
  readonly chainId: ChainId
  readonly tokens: readonly string[]
  readonly cache?: 'use' | 'pass'
}

/**
 * Prices in the order of the tokens, undefined if no source has a recent and liquid price. If an
 * outside source is configured, it comes first and the pools check it: if the two differ by more
 * than 10 %, neither counts. Concurrent requests share one read. Never throws: a source that does
 * not answer has no prices.
 */
export type ReadPrices = (query: PriceQuery) => Promise<(Quote | undefined)[]>

const cacheSeconds = 15
const maxDifferencePercent = 10n

export function openPrices(deps: PriceServices): ReadPrices {
  const pending = new Map<string, Promise<Quote | undefined>>()
  const startReading = (chainId: ChainId, tokens: readonly string[]) => {
    const reading = readAndCache(deps, { chainId, tokens })
    for (const token of tokens) {
      const key = priceKey(chainId, token)
      const one = reading.then((prices) => prices.get(token))
      pending.set(key, one)
      void one.finally(() => pending.get(key) === one && pending.delete(key))
    }
  }
  return async ({ chainId, tokens, cache = 'use' }) => {
    const keys = tokens.map(tokenKey)
    const cached =
      cache === 'pass'
        ? new Map<string, Quote | undefined>()
        : await readCached(deps, { chainId, tokens: keys })
    const missing = [...new Set(keys)].filter(
      (token) => !cached.has(token) && !pending.has(priceKey(chainId, token)),
    )
    if (missing.length > 0) startReading(chainId, missing)
    else if (keys.every((token) => cached.has(token))) return keys.map((token) => cached.get(token))
    return Promise.all(
      keys.map((token) =>
        cached.has(token) ? cached.get(token) : pending.get(priceKey(chainId, token)),
      ),
    )
  }
}

const priceKey = (chainId: ChainId, token: string) => `price:${chainId}:${token}`

async function readCached(
  { kv }: PriceServices,
  { chainId, tokens }: PriceQuery,
): Promise<Map<string, Quote | undefined>> {
  const texts = await kv.getMany(tokens.map((token) => priceKey(chainId, token)))
  const cached = tokens.flatMap((token, index) => {
    const text = texts[index]
    return text === undefined ? [] : [[token, parseQuote(text)] as const]
  })
  return new Map(cached)
}

async function readAndCache(
  deps: PriceServices,
  { chainId, tokens }: PriceQuery,
): Promise<Map<string, Quote>> {
  const { kv, log } = deps
  try {
    const { prices, isComplete } = await readSources(deps, { chainId, tokens })
    const writes = tokens.map(async (token) => {
      const quote = prices.get(token)
      // The sources did not report that the token has no price.
      if (quote === undefined && !isComplete) return
      await kv.set(priceKey(chainId, token), quote ? formatQuote(quote) : 'none', cacheSeconds)
    })
    await Promise.all(writes)
    return prices
  } catch (error) {
    log.warn({ err: error, chain: chainId }, 'prices not read')
    return new Map()
  }
}

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

const formatQuote = ({ price, seenAtMs, source }: Quote) => `${price} ${seenAtMs} ${source}`

function parseQuote(text: string): Quote | undefined {
  const [price = '', seenAtMs, source] = text.split(' ')
  if (source === undefined) return undefined
  return { price: BigInt(price), seenAtMs: Number(seenAtMs), source: source as Quote['source'] }
}
