import type { HistoryTransaction } from '@latchkey/wire'
import { findContact } from '../contacts/findContact.ts'
import type { State } from '../state.ts'
import { getNoteKey, type Notes } from './notes.ts'

/** The kinds of transactions by which a list can be filtered. */
export const activityKinds = ['received', 'sent', 'swapped', 'other'] as const
export type ActivityKind = (typeof activityKinds)[number]

/** The data of this browser in which a search also looks. */
type SearchedData = { readonly notes: Notes } & Readonly<Pick<State, 'profiles' | 'contacts'>>

/** Whether a list shows a transaction. */
export type ActivityMatcher = (transaction: HistoryTransaction, data: SearchedData) => boolean

/**
 * The matcher for typed words and a kind; undefined if everything matches. Each word must be part
 * of a name, an address, an amount, a symbol, the note or the transaction id, in any case.
 */
export function searchActivity({
  query,
  kind,
}: {
  query: string
  kind: ActivityKind | undefined
}): ActivityMatcher | undefined {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && kind === undefined) return undefined
  return (transaction, data) => {
    if (kind !== undefined && getKind(transaction) !== kind) return false
    if (words.length === 0) return true
    const content = getContent(transaction, data)
    return words.every((word) => content.includes(word))
  }
}

const kinds = new Map<string, ActivityKind>([
  ['receive', 'received'],
  ['send', 'sent'],
  ['trade', 'swapped'],
])

const getKind = ({ metadata }: HistoryTransaction): ActivityKind =>
  kinds.get(metadata.operationType) ?? 'other'

function getContent(
  transaction: HistoryTransaction,
  { notes, profiles, contacts }: SearchedData,
): string {
  const { sentFrom, sentTo, hash, chain, application } = transaction.metadata
  const names = [sentFrom, sentTo].flatMap((address) => [
    profiles[`${chain}:${address}`]?.name,
    findContact(contacts, address)?.name,
  ])
  const moved = transaction.transfers.flatMap(({ fungible_info, nft_info, quantity, address }) => [
    ...[quantity.numeric, address],
    ...[fungible_info?.symbol, fungible_info?.name, nft_info?.name],
  ])
  const note = notes.get(getNoteKey(transaction))
  return [...names, sentFrom, sentTo, hash, application?.name, note, ...moved]
    .filter(Boolean)
    .join('\n')
    .toLowerCase()
}
