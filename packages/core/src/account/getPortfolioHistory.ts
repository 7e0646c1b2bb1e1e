import type { ChainId, PricePeriod, PricePoint } from '@latchkey/wire'
import type { App } from '../app.ts'
import { getAreas } from '../server/getAreas.ts'
import { getValueHistory, type ValueHistory } from './getValueHistory.ts'

/**
 * The value history of an account on several networks. `missing`: the networks whose earlier value
 * is unknown, which are not counted.
 */
export type PortfolioHistory = ValueHistory & { readonly missing: readonly ChainId[] }

/**
 * Responses for several networks are some minutes apart; the points of a network are at least half
 * an hour apart.
 */
const maxApartMs = 15 * 60_000

/**
 * The value of an account on networks of its namespace during a period until now, at each time for
 * which the value on all counted networks is known. Throws the errors of `callRoute` if no network
 * could be read.
 */
export async function getPortfolioHistory(
  app: App,
  parameters: {
    address: string
    chainIds: readonly ChainId[]
    period: PricePeriod
    signal?: AbortSignal | undefined
  },
): Promise<PortfolioHistory> {
  const { chainIds, ...question } = parameters
  // If the server does not report its areas, request the history anyway.
  const areasOf = await getAreas(app).catch(() => undefined)
  const asked = chainIds.filter((chainId) => areasOf?.(chainId).activity?.on !== false)
  const outcomes = await Promise.allSettled(
    asked.map((chainId) => getValueHistory(app, { ...question, chainId })),
  )
  const read = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = outcomes.find((one) => one.status === 'rejected')
  if (failed && read.every(({ points }) => points === null)) throw failed.reason
  const counted = read.filter(hasPast)
  const times = counted.flatMap(({ since }) => (since === null ? [] : [since]))
  return {
    points: read.some(({ points }) => points !== null) ? sumPoints(counted) : null,
    since: times.sort().at(-1) ?? null,
    missing: chainIds.filter((chainId) => {
      const outcome = outcomes[asked.indexOf(chainId)]
      return outcome?.status !== 'fulfilled' || !hasPast(outcome.value)
    }),
  }
}

/**
 * Whether a network has earlier values. A network with only a present value would cut off the
 * history of the others.
 */
const hasPast = ({ points }: ValueHistory) => points !== null && points.length > 1

function sumPoints(histories: readonly ValueHistory[]): PricePoint[] {
  const [first = [], ...others] = histories.map(({ points }) => points ?? [])
  return first.flatMap(({ atMs, price }) => {
    const values = others.map((points) => points.find(isAt(atMs))?.price)
    if (values.includes(undefined)) return []
    return [{ atMs, price: values.reduce<number>((sum, value) => sum + (value ?? 0), price) }]
  })
}

const isAt = (atMs: number) => (point: PricePoint) => Math.abs(point.atMs - atMs) < maxApartMs
