import { type ChainId, isChainId } from '@latchkey/wire'

/** The newest transaction of a notice, and the account and the network that it belongs to. */
export type NoticeSubject = {
  readonly chainId: ChainId
  readonly address: string
  readonly transactionId: string
  /** Whether the notice is about this transaction alone. */
  readonly isOne: boolean
}

const maxLength = 200

/** Writes the link of a notice about transactions. It crosses the service worker as a string. */
export function writeNoticeLink({
  chainId,
  address,
  transactionId,
  isOne,
}: Omit<NoticeSubject, 'chainId'> & { chainId: string | null }): string {
  const transaction = { [isOne ? 'transaction' : 'newest']: transactionId }
  return `/activity?${new URLSearchParams({ chain: chainId ?? '', address, ...transaction })}`
}

/** Parses the query of a notice's link; undefined if it names no transaction of a network. */
export function parseNoticeLink(query: string): NoticeSubject | undefined {
  const parameters = new URLSearchParams(query)
  const read = (name: string) => (parameters.get(name) ?? '').slice(0, maxLength)
  const [chainId, address, one] = [read('chain'), read('address'), read('transaction')]
  const transactionId = one || read('newest')
  if (!isChainId(chainId) || !address || !transactionId) return undefined
  return { chainId, address, transactionId, isOne: one !== '' }
}
