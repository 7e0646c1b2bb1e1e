import type { ChainId } from '@latchkey/wire'
import { exchangeOf } from './exchange.ts'
import { agree, nativeAddress, type SeenPrice } from './price.ts'
import { readOutside } from './readOutside.ts'
import { type Needs, readPoolPrices } from './readPoolPrices.ts'

type Hex = `0x${string}`

/** Tokens of one chain by address, the native currency as 0xeeee…eeee; `pass` goes past the cache. */
type Asked = {
  readonly chainId: ChainId
  readonly tokens: readonly Hex[]
  readonly cache?: 'use' | 'pass'
}

/**
 * Prices in the order of the tokens, undefined where no source has one that is neither thin nor old. Where an outside
 * source is set it comes first and the pools check it: of two that are more than 10 % apart neither counts. Many who ask
 * at once wait for one reading. Never throws: a source that is away has no prices.
 */
export type ReadPrices = (asked: Asked) => Promise<(SeenPrice | undefined)[]>

const cacheSeconds = 15
const apartPercent = 10n

export function openPrices(needs: Needs): ReadPrices {
  const flying = new Map<string, Promise<SeenPrice | undefined>>()
  const fly = (chainId: ChainId, tokens: readonly Hex[]) => {
    const reading = readAnew(needs, { chainId, tokens })
    for (const token of tokens) {
      const key = keyOf(chainId, token)
      const one = reading.then((prices) => prices.get(token))
      flying.set(key, one)
      void one.finally(() => flying.get(key) === one && flying.delete(key))
    }
  }
  return async ({ chainId, tokens, cache = 'use' }) => {
    const asked = tokens.map((token) => token.toLowerCase() as Hex)
    const known =
      cache === 'pass'
        ? new Map<Hex, SeenPrice | undefined>()
        : await readCached(needs, { chainId, tokens: asked })
    const missing = [...new Set(asked)].filter(
      (token) => !known.has(token) && !flying.has(keyOf(chainId, token)),
    )
    if (missing.length > 0) fly(chainId, missing)
    else if (asked.every((token) => known.has(token))) return asked.map((token) => known.get(token))
    return Promise.all(
      asked.map((token) =>
        known.has(token) ? known.get(token) : flying.get(keyOf(chainId, token)),
      ),
    )
  }
}

const keyOf = (chainId: ChainId, token: Hex) => `price:${chainId}:${token}`

async function readCached(
  { kv }: Needs,
  { chainId, tokens }: Asked,
): Promise<Map<Hex, SeenPrice | undefined>> {
  const texts = await kv.getMany(tokens.map((token) => keyOf(chainId, token)))
  const known = tokens.flatMap((token, index) => {
    const text = texts[index]
    return text === undefined ? [] : [[token, parseSeen(text)] as const]
  })
  return new Map(known)
}

async function readAnew(needs: Needs, { chainId, tokens }: Asked): Promise<Map<Hex, SeenPrice>> {
  const { kv, log } = needs
  try {
    const { prices, isWhole } = await readSources(needs, { chainId, tokens })
    const kept = tokens.map(async (token) => {
      const seen = prices.get(token)
      // Nobody has said that there is none.
      if (seen === undefined && !isWhole) return
      await kv.set(keyOf(chainId, token), seen ? textOf(seen) : 'none', cacheSeconds)
    })
    await Promise.all(kept)
    return prices
  } catch (error) {
    log.warn({ err: error, chain: chainId }, 'prices not read')
    return new Map()
  }
}

/** `isWhole`: every source was read. */
async function readSources(
  needs: Needs,
  { chainId, tokens }: Asked,
): Promise<{ readonly prices: Map<Hex, SeenPrice>; readonly isWhole: boolean }> {
  const chain = needs.config.chains[chainId]
  const wrapped = chain && exchangeOf(chain)?.wrappedNative
  // The wrapped native token is the native one.
  const poolTokenOf = (token: Hex) => (token === nativeAddress ? (wrapped ?? token) : token)
  const poolTokens = [...new Set(tokens.map(poolTokenOf))].filter(
    (token) => token !== nativeAddress,
  )
  const [pools, outside] = await Promise.all([
    readPoolPrices(needs, { chainId, tokens: poolTokens }).catch((error: unknown) => {
      needs.log.warn({ err: error, chain: chainId }, 'pools not read')
      return undefined
    }),
    readOutside(needs, { chainId, tokens }),
  ])
  const entries = tokens.flatMap((token) => {
    const price = choose(outside.prices.get(token), pools?.get(poolTokenOf(token)))
    return price === undefined ? [] : [[token, price] as const]
  })
  return { prices: new Map(entries), isWhole: pools !== undefined && outside.isWhole }
}

function choose(
  outside: SeenPrice | undefined,
  pool: SeenPrice | undefined,
): SeenPrice | undefined {
  if (outside === undefined || pool === undefined) return outside ?? pool
  return agree(outside.price, pool.price, apartPercent) ? outside : undefined
}

const textOf = ({ price, seenAtMs, source }: SeenPrice) => `${price} ${seenAtMs} ${source}`

function parseSeen(text: string): SeenPrice | undefined {
  const [price = '', seenAtMs, source] = text.split(' ')
  if (source === undefined) return undefined
  return { price: BigInt(price), seenAtMs: Number(seenAtMs), source: source as SeenPrice['source'] }
}
