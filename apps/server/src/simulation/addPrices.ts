import {
  type ChainId,
  maxSimulatedChanges,
  type SimulatedOutcome,
  type SimulatedPrice,
} from '@latchkey/wire'
import { nativeAddress } from '../evm/address.ts'
import { tokenKey } from '../tokens/token.ts'
import { type PriceSources, readListedPrices, takeInTime } from './readListedPrices.ts'

type Answer = { readonly asked: number; readonly outcomes: SimulatedOutcome[] }

/**
 * An answer with what the native currency and listed tokens in it cost. The likely ones are read
 * while the nodes are asked, and the answer waits for prices 100 ms at most; what is not known by
 * then is left out.
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
    /** The contracts that are called: often the tokens that move. */
    targets: readonly string[]
    simulating: Promise<Answer>
    maxMs?: number
  },
): Promise<Answer & { prices?: SimulatedPrice[] }> {
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

/** The units that change hands; items of collections have no price. */
const getTokens = (outcomes: readonly SimulatedOutcome[]): string[] => [
  ...new Set(
    outcomes
      .flatMap((one) => (one.status === 'done' ? one.changes : (one.ran?.changes ?? [])))
      .flatMap(({ token, id }) => (id === null ? tokenKey(token ?? nativeAddress) : [])),
  ),
]
