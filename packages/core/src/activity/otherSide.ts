import { findLookalike, type HistoryTransaction, type Namespace } from '@latchkey/wire'
import { isSameAddress, isZeroAddress } from '../namespaces/namespaceMetadata.ts'

/** The account whose activity is shown. */
type Viewer = { readonly namespace: Namespace; readonly address: string }

/**
 * The other party's address: the recipient or the contract if the account sent, otherwise the
 * sender.
 */
export function getOtherSide(
  { metadata: { sentFrom, sentTo } }: Pick<HistoryTransaction, 'metadata'>,
  { namespace, address }: Viewer,
): string {
  return isSameAddress({ namespace, one: sentFrom, other: address }) ? sentTo : sentFrom
}

/** The types of transactions whose other side is usually a person, who may have a name. */
const personal: ReadonlySet<string> = new Set(['send', 'receive'])

/**
 * The addresses on the other side of the first transfers that may have a name to look up, each
 * once, at most `limit`. Leaves out addresses that imitate a `known` address.
 */
export function getNameableSides(
  transactions: readonly HistoryTransaction[],
  { known, limit, ...viewer }: Viewer & { known: readonly string[]; limit: number },
): string[] {
  const { namespace } = viewer
  const seen = new Set<string>()
  const found: string[] = []
  for (const transaction of transactions) {
    if (found.length >= limit) break
    const { operationType, application } = transaction.metadata
    if (!personal.has(operationType) || application?.name) continue
    const other = getOtherSide(transaction, viewer)
    if (other === '' || seen.has(other) || isZeroAddress({ namespace, address: other })) continue
    seen.add(other)
    const isOwn = isSameAddress({ namespace, one: other, other: viewer.address })
    if (!isOwn && findLookalike(other, known) === undefined) found.push(other)
  }
  return found
}
