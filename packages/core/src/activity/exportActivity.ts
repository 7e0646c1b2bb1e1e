import type { ChainId, HistoryTransaction } from '@latchkey/wire'
import type { App } from '../app.ts'
import { getCapabilities } from '../capabilities.ts'
import type { Network } from '../networks.ts'
import { getPurchases } from '../onramp/getPurchases.ts'
import { mergePurchases } from '../onramp/mergePurchases.ts'
import { getAreas } from '../server/getAreas.ts'
import { getHistory } from './getHistory.ts'
import { getNotes } from './notes.ts'
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
}

/**
 * Reads all activity of an account on a network, page by page, up to 10,000 transactions, and
 * writes it as CSV. `onProgress` gets the number of transactions so far. Throws the errors of
 * `getHistory`.
 */
export async function exportActivity(
  app: App,
  parameters: {
    address: string
    network: Network
    signal: AbortSignal
    onProgress: (count: number) => void
  },
): Promise<ActivityFile> {
  const { address, network, signal } = parameters
  const chainId = network.caipNetworkId
  const { transactions, isCut, isSearching } = await readAll(app, { ...parameters, chainId })
  const purchases = await readPurchases(app, { address, chainId, signal })
  const all = mergePurchases(transactions, { purchases, shown: new Set(), hasMore: isCut })
  const context = { address, chainId, symbol: network.nativeCurrency.symbol, notes: getNotes(app) }
  const date = new Date(app.environment.now()).toISOString().slice(0, 10)
  return {
    name: `activity-${getSlug(network)}-${date}.csv`,
    content: toCsv(all, context),
    count: all.length,
    isCut,
    isSearching,
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
    onProgress: (count: number) => void
  },
) {
  const found = new Map<string, HistoryTransaction>()
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const { transactions, next, sync } = await getHistory(app, { address, chainId, cursor, signal })
    for (const transaction of transactions) found.set(transaction.id, transaction)
    onProgress(Math.min(found.size, maxTransactions))
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

/** The purchases of the account; none if they cannot be read, because their transactions can. */
async function readPurchases(
  app: App,
  question: { address: string; chainId: ChainId; signal: AbortSignal },
): Promise<readonly HistoryTransaction[]> {
  const { chainId } = question
  const areas = await getAreas(app).then(
    (areasOf) => areasOf(chainId),
    () => undefined,
  )
  if (!getCapabilities(app, { chainId, areas }).onramp) return []
  return getPurchases(app, question).catch(() => [])
}

const getSlug = ({ name, caipNetworkId }: Network): string =>
  [name, caipNetworkId].map(toSlug).find((slug) => slug !== '') ?? 'network'

const toSlug = (text: string) =>
  text
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-') ?? ''
