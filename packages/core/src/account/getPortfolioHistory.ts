import type { ChainId, PricePeriod, PricePoint } from '@latchkey/wire'
import type { App } from '../app.ts'
import { getAreas } from '../server/getAreas.ts'
import { getValueHistory, type ValueHistory } from './getValueHistory.ts'

/**
 * The value history of accounts on several networks. `missing`: the networks whose earlier value is
 * unknown, which are not counted.
 */
export type PortfolioHistory = ValueHistory & { readonly missing: readonly ChainId[] }

/**
 * Responses for several networks are some minutes apart; the points of a network are at least half
 * an hour apart.
 */
const maxApartMs = 15 * 60_000

/** An account, and networks of its namespace. */
export type AccountOnNetworks = {
  readonly address: string
  readonly chainIds: readonly ChainId[]
}

/**
 * The value of accounts during a period until now, at each time for which the value on all counted
 * networks is known. Throws the errors of `callRoute` if no network could be read.
 */
export async function getPortfolioHistory(
  app: App,
  parameters: {
    accounts: readonly AccountOnNetworks[]
    period: PricePeriod
    signal?: AbortSignal | undefined
  },
): Promise<PortfolioHistory> {
  const { accounts, ...question } = parameters
  // If the server does not report its areas, request the history anyway.
  const areasOf = await getAreas(app).catch(() => undefined)
  const asked = accounts.flatMap(({ address, chainIds }) =>
    chainIds
      .filter((chainId) => !areasOf || areasOf(chainId).activity?.on === true)
      .map((chainId) => ({ address, chainId })),
  )
  const outcomes = await Promise.allSettled(
    asked.map((one) => getValueHistory(app, { ...question, ...one })),
  )
  const read = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = outcomes.find((one) => one.status === 'rejected')
  if (failed && read.every(({ points }) => points === null)) throw failed.reason
  const counted = read.filter(hasPast)
  const times = counted.flatMap(({ since }) => (since === null ? [] : [since]))
  return {
    points: read.some(({ points }) => points !== null) ? sumPoints(counted) : null,
    since: times.sort().at(-1) ?? null,
    missing: accounts.flatMap(({ address, chainIds }) =>
      chainIds.filter((chainId) => {
        const index = asked.findIndex((one) => one.address === address && one.chainId === chainId)
        const outcome = outcomes[index]
        return outcome?.status !== 'fulfilled' || !hasPast(outcome.value)
      }),
    ),
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
