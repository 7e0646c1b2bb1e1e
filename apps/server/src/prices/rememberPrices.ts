import type { ChainId } from '@latchkey/wire'
import type { Services } from '../services.ts'
import { tokenKey } from '../tokens/token.ts'
import type { Quote } from './price.ts'

/**
 * Tokens of one chain by address, the native currency as 0xeeee…eeee; `pass` bypasses the cache.
 */
export type PriceQuery = {
  readonly chainId: ChainId
  readonly tokens: readonly string[]
  readonly cache?: 'use' | 'pass'
}

/** Prices by token. `isComplete`: every source was read. */
type FoundPrices = { readonly prices: Map<string, Quote>; readonly isComplete: boolean }

/** A source of prices. `name` is the prefix of its entries in the cache. */
type PriceSource = {
  readonly name: string
  readonly cacheSeconds: number
  readonly read: (query: PriceQuery) => Promise<FoundPrices>
}

type CacheDeps = Pick<Services, 'kv' | 'log'>

/**
 * Makes a source cache each price, and the absence of a price if it was read completely. Concurrent
 * requests share one read. The result never throws: a source that fails has no prices.
 */
export function rememberPrices(deps: CacheDeps, source: PriceSource) {
  const pending = new Map<string, Promise<Quote | undefined>>()
  const toKey = (chainId: ChainId, token: string) => `${source.name}:${chainId}:${token}`
  const startReading = (chainId: ChainId, tokens: readonly string[]) => {
    const reading = readAndCache({ chainId, tokens })
    for (const token of tokens) {
      const key = toKey(chainId, token)
      const one = reading.then((prices) => prices.get(token))
      pending.set(key, one)
      void one.finally(() => pending.get(key) === one && pending.delete(key))
    }
  }
  return async ({ chainId, tokens, cache = 'use' }: PriceQuery): Promise<(Quote | undefined)[]> => {
    const keys = tokens.map(tokenKey)
    const cached =
      cache === 'pass'
        ? new Map<string, Quote | undefined>()
        : await readCached({ chainId, tokens: keys })
    const missing = [...new Set(keys)].filter(
      (token) => !cached.has(token) && !pending.has(toKey(chainId, token)),
    )
    if (missing.length > 0) startReading(chainId, missing)
    else if (keys.every((token) => cached.has(token))) return keys.map((token) => cached.get(token))
    return Promise.all(
      keys.map((token) =>
        cached.has(token) ? cached.get(token) : pending.get(toKey(chainId, token)),
      ),
    )
  }

  async function readCached({ chainId, tokens }: PriceQuery) {
    const texts = await deps.kv.getMany(tokens.map((token) => toKey(chainId, token)))
    const cached = tokens.flatMap((token, index) => {
      const text = texts[index]
      return text === undefined ? [] : [[token, parseQuote(text)] as const]
    })
    return new Map(cached)
  }

  async function readAndCache({ chainId, tokens }: PriceQuery) {
    try {
      const { prices, isComplete } = await source.read({ chainId, tokens })
      const writes = tokens.map(async (token) => {
        const quote = prices.get(token)
        // The sources did not report that the token has no price.
        if (quote === undefined && !isComplete) return
        const text = quote ? formatQuote(quote) : 'none'
        await deps.kv.set(toKey(chainId, token), text, source.cacheSeconds)
      })
      await Promise.all(writes)
      return prices
    } catch (error) {
      deps.log.warn({ err: error, chain: chainId }, 'prices not read')
      return new Map<string, Quote>()
    }
  }
}

const formatQuote = ({ price, seenAtMs, source }: Quote) => `${price} ${seenAtMs} ${source}`

function parseQuote(text: string): Quote | undefined {
  const [price = '', seenAtMs, source] = text.split(' ')
  if (source === undefined) return undefined
  return { price: BigInt(price), seenAtMs: Number(seenAtMs), source: source as Quote['source'] }
}
