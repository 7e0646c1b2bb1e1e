import type { ChainId, HistoryTransaction } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { getCapabilities } from '../../capabilities.ts'
import type { Network } from '../../networks.ts'
import { getPurchases } from '../../onramp/getPurchases.ts'
import { mergePurchases } from '../../onramp/mergePurchases.ts'
import { type AreasOf, getAreas } from '../../server/getAreas.ts'
import { getHistory } from '../getHistory.ts'
import { getNotes } from '../notes.ts'
import { addWorth } from './addWorth.ts'
import { toCsv } from './toCsv.ts'

/** How many transactions a file has at most. */
const maxTransactions = 10_000
/** Pages may be short or empty, because unwanted transactions are left out. */
const maxPages = 500

/** A file with all activity of an account on a network. */
export type ActivityFile = {
  readonly name: string
  readonly content: string
  readonly count: number
  /** Older transactions are missing, because there are too many. */
  readonly isCut: boolean
  /** The server is still searching for transactions. */
  readonly isSearching: boolean
  /** Some prices could not be read now. */
  readonly isWorthMissing: boolean
  /** Some prices were not requested, because there are too many tokens. */
  readonly isWorthCut: boolean
}

/** The number of transactions so far, then of the price histories that were read, and of all. */
export type ExportProgress =
  | { readonly step: 'transactions'; readonly count: number }
  | { readonly step: 'prices'; readonly done: number; readonly count: number }

/**
 * Reads all activity of an account on a network, page by page, up to 10,000 transactions, then the
 * prices of their times, and writes both as CSV. Throws the errors of `getHistory`.
 */
export async function exportActivity(
  app: App,
  parameters: {
    address: string
    network: Network
    signal: AbortSignal
    onProgress: (progress: ExportProgress) => void
  },
): Promise<ActivityFile> {
  const { address, network, signal, onProgress } = parameters
  const chainId = network.caipNetworkId
  const { transactions, isCut, isSearching } = await readAll(app, { ...parameters, chainId })
  const areas = await readAreas(app, chainId)
  const purchases = await readPurchases(app, { address, chainId, areas, signal })
  const all = mergePurchases(transactions, { purchases, shown: new Set(), hasMore: isCut })
  const priced = areas?.prices?.on
    ? await addWorth(app, {
        ...{ transactions: all, chainId, signal },
        onProgress: (done, count) => onProgress({ step: 'prices', done, count }),
      })
    : { transactions: all, isComplete: true, isCut: false }
  const context = { address, chainId, symbol: network.nativeCurrency.symbol, notes: getNotes(app) }
  const date = new Date(app.environment.now()).toISOString().slice(0, 10)
  return {
    name: `activity-${getSlug(network)}-${date}.csv`,
    content: toCsv(priced.transactions, context),
    count: all.length,
    isCut,
    isSearching,
    isWorthMissing: !priced.isComplete,
    isWorthCut: priced.isCut,
  }
}

async function readAll(
  app: App,
  {
    address,
    chainId,
    signal,
    onProgress,
  }: {
    address: string
    chainId: ChainId
    signal: AbortSignal
    onProgress: (progress: ExportProgress) => void
  },
) {
  const found = new Map<string, HistoryTransaction>()
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const { transactions, next, sync } = await getHistory(app, { address, chainId, cursor, signal })
    for (const transaction of transactions) found.set(transaction.id, transaction)
    onProgress({ step: 'transactions', count: Math.min(found.size, maxTransactions) })
    const isSearching = sync?.complete === false
    // While the server searches, it returns the end of the known list again and again.
    const isWaiting = isSearching && transactions.length === 0
    const isEnd = next === undefined || next === cursor || isWaiting
    const isFull = found.size >= maxTransactions || pages === maxPages
    if (isEnd || isFull)
      return {
        transactions: [...found.values()].slice(0, maxTransactions),
        isCut: found.size > maxTransactions || !isEnd,
        isSearching,
      }
    cursor = next
  }
}

type NetworkAreas = ReturnType<AreasOf> | undefined

/** The server's areas for a network, undefined if it does not report them. */
const readAreas = (app: App, chainId: ChainId): Promise<NetworkAreas> =>
  getAreas(app).then(
    (areasOf) => areasOf(chainId),
    () => undefined,
  )

/** The purchases of the account; none if they cannot be read, because their transactions can. */
async function readPurchases(
  app: App,
  {
    areas,
    ...account
  }: { address: string; chainId: ChainId; areas: NetworkAreas; signal: AbortSignal },
): Promise<readonly HistoryTransaction[]> {
  if (!getCapabilities(app, { chainId: account.chainId, areas }).onramp) return []
  return getPurchases(app, account).catch(() => [])
}

const getSlug = ({ name, caipNetworkId }: Network): string =>
  [name, caipNetworkId].map(toSlug).find((slug) => slug !== '') ?? 'network'

const toSlug = (text: string) =>
  text
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-') ?? ''
