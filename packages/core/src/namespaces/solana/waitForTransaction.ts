import { anySignal, LatchkeyError } from '@latchkey/wire'
import type { Actions } from '../actions.ts'
import { lifetimeBlocks, readHeight } from './nodeResponses.ts'
import { readStatus } from './readStatus.ts'
import { watchSignature } from './watchSignature.ts'

/** How often to poll: a block comes every 400 ms, and is confirmed after about two. */
const pollMs = 1_000
/**
 * The same while the node has confirmed the subscription: it may miss the event, and it does not
 * report an expired transaction.
 */
const listeningPollMs = 5_000

/**
 * Resolves when a supermajority has confirmed the transaction's block. Polls when the node's
 * subscription reports it, and every few seconds, or each second without a subscription. Throws
 * TRANSACTION_EXPIRED when no block can include it.
 */
export async function waitForSolanaTransaction({
  node,
  openSocket,
  hash,
  signal,
  sleep,
}: Parameters<Actions['waitForTransaction']>[0]): Promise<{ status: 'success' | 'reverted' }> {
  let news = new AbortController()
  const watch = watchSignature({ hash, socket: openSocket?.(), onNews: () => news.abort() })
  let lastBlock: bigint | undefined
  let hasExpired = false
  try {
    while (!signal.aborted) {
      news = new AbortController()
      const [status, height] = await Promise.all([readStatus(node, hash), readHeight(node)])
      if (status?.isConfirmed) return { status: status.hasFailed ? 'reverted' : 'success' }
      // This poll began after the last block that could include it.
      if (hasExpired && !status) throw new LatchkeyError('TRANSACTION_EXPIRED')
      // The transaction was sent before the first poll, so this height is an upper bound.
      lastBlock ??= height + lifetimeBlocks
      hasExpired = height > lastBlock
      const ms = watch.isListening() ? listeningPollMs : pollMs
      await sleep(ms, anySignal([signal, news.signal]))
    }
  } finally {
    watch.stop()
  }
  throw new LatchkeyError('ABORTED')
}
