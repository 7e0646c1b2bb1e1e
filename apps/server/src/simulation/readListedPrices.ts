import type { ChainId, SimulatedPrice } from '@latchkey/wire'
import { nativeAddress } from '../evm/address.ts'
import type { ReadPrices } from '../prices/openPrices.ts'
import { priceNumber } from '../prices/price.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'

/** The sources of prices. */
export type PriceSources = { readonly getListed: GetListedTokens; readonly readPrices: ReadPrices }

/**
 * The prices of the native currency (0xeeee…eeee, null in the result) and listed tokens, in
 * dollars. Unlisted tokens have no price, because anyone can create a token, a pool and a price.
 * Never throws: if a list cannot be read, its tokens have no price.
 */
export async function readListedPrices(
  { getListed, readPrices }: PriceSources,
  { chainId, tokens }: { readonly chainId: ChainId; readonly tokens: readonly string[] },
): Promise<SimulatedPrice[]> {
  if (tokens.length === 0) return []
  try {
    const listed = await getListed(chainId)
    const known = tokens.filter((token) => token === nativeAddress || listed.tokens.has(token))
    const quotes = await readPrices({ chainId, tokens: known })
    return known.flatMap((token, at) => {
      const quote = quotes[at]
      if (quote === undefined || quote.price <= 0n) return []
      return { token: token === nativeAddress ? null : token, usd: priceNumber(quote.price) }
    })
  } catch {
    return []
  }
}

/** The prices that arrive in time: within 100 ms, because an approval waits for them. */
export async function takeInTime(
  reading: readonly Promise<SimulatedPrice[]>[],
  maxMs: number = 100,
): Promise<SimulatedPrice[]> {
  const timer = AbortSignal.timeout(maxMs)
  const late = new Promise<SimulatedPrice[]>((resolve) => {
    timer.addEventListener('abort', () => resolve([]), { once: true })
  })
  return (await Promise.all(reading.map((one) => Promise.race([one, late])))).flat()
}
