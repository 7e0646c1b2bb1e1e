import { type ChainId, isChainId } from '@latchkey/wire'

/** The account and the network of a notice, and its newest transaction. */
export type NoticeSubject = {
  readonly chainId: ChainId
  readonly address: string
  /** Undefined if the notice is about allowances. */
  readonly transactionId: string | undefined
  /** Whether the notice is about this transaction alone. */
  readonly isOne: boolean
}

const maxLength = 200

/** Writes the link of a notice. It crosses the service worker as a string. */
export function writeNoticeLink({
  chainId,
  address,
  transactionId,
  isOne,
}: Omit<NoticeSubject, 'chainId'> & { chainId: string | null }): string {
  const account = { chain: chainId ?? '', address }
  if (transactionId === undefined) return `/allowances?${new URLSearchParams(account)}`
  const transaction = { [isOne ? 'transaction' : 'newest']: transactionId }
  return `/activity?${new URLSearchParams({ ...account, ...transaction })}`
}

/** Parses the query of a notice's link; undefined if it names no account on a network. */
export function parseNoticeLink(query: string): NoticeSubject | undefined {
  const parameters = new URLSearchParams(query)
  const read = (name: string) => (parameters.get(name) ?? '').slice(0, maxLength)
  const [chainId, address, one] = [read('chain'), read('address'), read('transaction')]
  const transactionId = one || read('newest') || undefined
  if (!isChainId(chainId) || !address) return undefined
  return { chainId, address, transactionId, isOne: one !== '' }
}
