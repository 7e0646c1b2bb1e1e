import type {
  ChainId,
  HistoryTransaction,
  HistoryTransfer,
  PricePoint,
  PriceYear,
} from '@latchkey/wire'
import { getPriceHistory } from '../../account/getPriceHistory.ts'
import type { App } from '../../app.ts'

/** A price of another day is not the price of that time. */
const maxDistanceMs = 24 * 3_600_000
/** How many histories are read at most, and how many at once. */
const maxHistories = 300
const maxAtOnce = 4

/**
 * Transactions with their worth. `isComplete`: the server answered each request. `isCut`: there are
 * too many tokens to request all.
 */
type WorthResult = {
  readonly transactions: readonly HistoryTransaction[]
  readonly isComplete: boolean
  readonly isCut: boolean
}

type PriceRead = { readonly token: string | undefined; readonly year: PriceYear }

/**
 * Adds the worth in dollars at its time to each amount of native currency or a listed token. It is
 * the price that the server has nearest to the transaction, at most a day away, and otherwise the
 * worth stays unknown.
 * `onProgress` gets the number of the histories that were read, and of all. Throws ABORTED.
 */
export async function addWorth(
  app: App,
  {
    transactions,
    chainId,
    signal,
    onProgress,
  }: {
    transactions: readonly HistoryTransaction[]
    chainId: ChainId
    signal: AbortSignal
    onProgress: (done: number, count: number) => void
  },
): Promise<WorthResult> {
  const wanted = listReads(transactions)
  const reads = wanted.slice(0, maxHistories)
  const histories = new Map<string, readonly PricePoint[]>()
  for (let done = 0; done < reads.length; done += maxAtOnce) {
    onProgress(done, reads.length)
    const part = reads.slice(done, done + maxAtOnce)
    await Promise.all(
      part.map(async ([key, { token, year: period }]) => {
        const reading = getPriceHistory(app, { chainId, token, period, signal })
        const points = await reading.catch(() => undefined)
        if (points) histories.set(key, points)
      }),
    )
    signal.throwIfAborted()
  }
  return {
    transactions: transactions.map((transaction) => ({
      ...transaction,
      transfers: transaction.transfers.map((transfer) => {
        const value = getValue(transfer, { transaction, histories })
        return value === undefined ? transfer : { ...transfer, value }
      }),
    })),
    isComplete: histories.size === reads.length,
    isCut: wanted.length > reads.length,
  }
}

/** The needed histories by key, the histories of most transfers first. */
function listReads(
  transactions: readonly HistoryTransaction[],
): (readonly [string, PriceRead & { count: number }])[] {
  const reads = new Map<string, PriceRead & { count: number }>()
  for (const transaction of transactions) {
    const year = getYear(transaction)
    if (year === undefined) continue
    for (const transfer of transaction.transfers.filter(needsPrice)) {
      const key = getKey(transfer, year)
      const count = (reads.get(key)?.count ?? 0) + 1
      reads.set(key, { token: transfer.address, year, count })
    }
  }
  return [...reads].sort(([, one], [, other]) => other.count - one.count)
}

/**
 * Anyone can send tokens that no list has: their prices can be made up, their amounts may lack the
 * decimals, and each would cost a request.
 */
const needsPrice = ({ fungible_info, address, value }: HistoryTransfer): boolean =>
  Boolean(fungible_info && (address === undefined || fungible_info.is_listed)) &&
  typeof value !== 'number'

const getKey = ({ address }: HistoryTransfer, year: PriceYear) => `${address ?? ''} ${year}`

/** The year in UTC; undefined if nothing moved or the time is not known yet. */
function getYear({ metadata: { status, minedAt } }: HistoryTransaction): PriceYear | undefined {
  const date = new Date(minedAt)
  if (status !== 'confirmed' || Number.isNaN(date.getTime())) return undefined
  const year = String(date.getUTCFullYear())
  return isPriceYear(year) ? year : undefined
}

const isPriceYear = (year: string): year is PriceYear => /^20\d\d$/.test(year)

function getValue(
  transfer: HistoryTransfer,
  {
    transaction,
    histories,
  }: { transaction: HistoryTransaction; histories: ReadonlyMap<string, readonly PricePoint[]> },
): number | undefined {
  const year = getYear(transaction)
  if (year === undefined || !needsPrice(transfer)) return undefined
  const price = findNearest(
    histories.get(getKey(transfer, year)) ?? [],
    Date.parse(transaction.metadata.minedAt),
  )
  const value = Number(transfer.quantity.numeric) * (price ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}

function findNearest(points: readonly PricePoint[], atMs: number): number | undefined {
  const getDistance = (point: PricePoint) => Math.abs(point.atMs - atMs)
  const [first, ...others] = points
  if (!first) return undefined
  const nearest = others.reduce(
    (best, point) => (getDistance(point) < getDistance(best) ? point : best),
    first,
  )
  return getDistance(nearest) <= maxDistanceMs ? nearest.price : undefined
}
