import {
  type ChainId,
  maxSimulatedChanges,
  type SimulatedOutcome,
  type SimulatedPrice,
} from '@latchkey/wire'
import { nativeAddress } from '../evm/address.ts'
import { tokenKey } from '../tokens/token.ts'
import { type PriceSources, readListedPrices, takeInTime } from './readListedPrices.ts'

type SimulationResponse = { readonly asked: number; readonly outcomes: SimulatedOutcome[] }

/**
 * Adds the prices of the native currency and listed tokens to a response. Prices of likely tokens
 * are read during the simulation, and the response waits at most 100 ms for prices; later prices
 * are left out.
 */
export async function addPrices(
  sources: PriceSources,
  {
    chainId,
    targets,
    simulating,
    maxMs,
  }: {
    chainId: ChainId
    /** The contracts that are called, which are often the tokens that move. */
    targets: readonly string[]
    simulating: Promise<SimulationResponse>
    maxMs?: number
  },
): Promise<SimulationResponse & { prices?: SimulatedPrice[] }> {
  const likely = [...new Set([nativeAddress, ...targets.map(tokenKey)])]
  const early = readListedPrices(sources, { chainId, tokens: likely })
  const answer = await simulating
  const changed = getTokens(answer.outcomes)
  const others = changed.filter((token) => !likely.includes(token))
  const late = readListedPrices(sources, { chainId, tokens: others })
  const prices = (await takeInTime([early, late], maxMs))
    .filter(({ token }) => changed.includes(token ?? nativeAddress))
    .slice(0, maxSimulatedChanges)
  return prices.length > 0 ? { ...answer, prices } : answer
}

/** The tokens and currency that change hands; items of collections have no price. */
const getTokens = (outcomes: readonly SimulatedOutcome[]): string[] => [
  ...new Set(
    outcomes
      .flatMap((one) => (one.status === 'done' ? one.changes : (one.ran?.changes ?? [])))
      .flatMap(({ token, id }) => (id === null ? tokenKey(token ?? nativeAddress) : [])),
  ),
]
