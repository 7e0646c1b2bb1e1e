import type { ChainId, HistoryTransaction } from '@latchkey/wire'

/** Whether a transaction is shown: it is of the network, and not all that moved are unwanted NFTs (spec §5). */
export function isVisible(transaction: HistoryTransaction, chainId: ChainId): boolean {
  const { metadata, transfers } = transaction
  if (metadata.chain !== chainId) return false
  if (transfers.length === 0) return true
  return !transfers.every(({ nft_info }) => nft_info?.flags.is_spam)
}
