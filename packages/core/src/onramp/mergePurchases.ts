import type { HistoryTransaction } from '@latchkey/wire'

/**
 * Merges an account's purchases into its transactions. A transaction that belongs to a purchase is
 * shown as bought, with the provider's name. Pending and failed purchases are placed at the time
 * they started. So are purchases whose transaction is not in the history, for example ether passed
 * on by a contract. `shown` contains the times of purchases that are shown elsewhere. Purchases
 * older than the loaded transactions are omitted while there are more to load.
 */
export function mergePurchases(
  transactions: readonly HistoryTransaction[],
  {
    purchases,
    shown,
    hasMore,
  }: {
    readonly purchases: readonly HistoryTransaction[]
    readonly shown: ReadonlySet<string>
    readonly hasMore: boolean
  },
): readonly HistoryTransaction[] {
  if (purchases.length === 0) return transactions
  const byHash = new Map(purchases.map((one) => [one.metadata.hash, one]))
  byHash.delete('')
  const oldest = hasMore ? getTime(transactions.at(-1)) : Number.NEGATIVE_INFINITY
  const marked = transactions.map((one) => {
    const purchase = byHash.get(one.metadata.hash)
    return purchase ? toBought(one, purchase) : one
  })
  const hashes = new Set(transactions.map(({ metadata }) => metadata.hash))
  const missing = purchases
    .filter(({ metadata }) => !hashes.has(metadata.hash) && !shown.has(metadata.minedAt))
    // A transaction comes after its purchase, so the loaded transactions would contain it.
    .filter((one) => getTime(one) >= oldest)
    .map((one) => toBought({ ...one, transfers: hasCome(one) ? one.transfers : [] }, one))
  return [...marked, ...missing].sort((one, other) => getTime(other) - getTime(one))
}

const hasCome = ({ metadata }: HistoryTransaction) => metadata.status === 'confirmed'

const getTime = (transaction: HistoryTransaction | undefined): number =>
  Date.parse(transaction?.metadata.minedAt ?? '') || 0

const toBought = (
  transaction: HistoryTransaction,
  { metadata }: HistoryTransaction,
): HistoryTransaction => ({
  ...transaction,
  metadata: {
    ...transaction.metadata,
    operationType: 'bought',
    application: { name: metadata.sentFrom, iconUrl: null },
  },
})
