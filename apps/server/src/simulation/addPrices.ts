import {
  type ChainId,
  maxSimulatedChanges,
  type SimulatedOutcome,
  type SimulatedPrice,
} from '@latchkey/wire'
import { nativeAddress } from '../evm/address.ts'
import type { ReadPrices } from '../prices/openPrices.ts'
import { priceNumber } from '../prices/price.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import { tokenKey } from '../tokens/token.ts'

/** What the prices come from. */
export type PriceSources = { readonly getListed: GetListedTokens; readonly readPrices: ReadPrices }

type Answer = { readonly asked: number; readonly outcomes: SimulatedOutcome[] }

/** For prices that were not read while the nodes were asked. */
const maxExtraMs = 100

/**
 * An answer with what the native currency and listed tokens in it cost. The likely ones are read while the nodes are asked, and
 * the answer waits for prices 100 ms at most; what is not known by then is left out. What no list names has no price: anybody
 * can make a token, a pool and a price.
 */
export async function addPrices(
  sources: PriceSources,
  {
    chainId,
    targets,
    simulating,
    maxMs = maxExtraMs,
  }: {
    chainId: ChainId
    /** The contracts that are called: often the tokens that move. */
    targets: readonly string[]
    simulating: Promise<Answer>
    maxMs?: number
  },
): Promise<Answer & { prices?: SimulatedPrice[] }> {
  const likely = [...new Set([nativeAddress, ...targets.map(tokenKey)])]
  const early = readListed(sources, { chainId, tokens: likely })
  const answer = await simulating
  const changed = getTokens(answer.outcomes)
  const others = changed.filter((token) => !likely.includes(token))
  const timer = AbortSignal.timeout(maxMs)
  const late = new Promise<SimulatedPrice[]>((resolve) => {
    timer.addEventListener('abort', () => resolve([]), { once: true })
  })
  const found = await Promise.all(
    [early, readListed(sources, { chainId, tokens: others })].map((reading) =>
      Promise.race([reading, late]),
    ),
  )
  const prices = found
    .flat()
    .filter(({ token }) => changed.includes(token ?? nativeAddress))
    .slice(0, maxSimulatedChanges)
  return prices.length > 0 ? { ...answer, prices } : answer
}

/** Prices of the native currency and of listed tokens, in dollars. Never throws: a list that cannot be read names none. */
async function readListed(
  { getListed, readPrices }: PriceSources,
  { chainId, tokens }: { chainId: ChainId; tokens: readonly string[] },
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

/** The units that change hands; items of collections have no price. */
const getTokens = (outcomes: readonly SimulatedOutcome[]): string[] => [
  ...new Set(
    outcomes
      .flatMap((one) => (one.status === 'done' ? one.changes : (one.ran?.changes ?? [])))
      .flatMap(({ token, id }) => (id === null ? tokenKey(token ?? nativeAddress) : [])),
  ),
]
