import { LatchkeyError } from '@latchkey/wire'
import type { Actions } from '../actions.ts'
import { lifetimeBlocks, readHeight } from './answers.ts'
import { readStatus } from './readStatus.ts'

/** Milliseconds between two looks: a block comes every 400 ms, and is confirmed after about two. */
const pollMs = 1_000

/**
 * Resolves once a supermajority has confirmed the transaction's block. It polls: the node's subscriptions need a socket of their own,
 * which one transfer does not repay. Throws TRANSACTION_EXPIRED once no block can take it any more.
 */
export async function waitForTransaction({
  node,
  hash,
  signal,
  sleep,
}: Parameters<Actions['waitForTransaction']>[0]): Promise<{ status: 'success' | 'reverted' }> {
  let lastBlock: bigint | undefined
  let isOver = false
  while (!signal.aborted) {
    const [status, height] = await Promise.all([readStatus(node, hash), readHeight(node)])
    if (status?.isConfirmed) return { status: status.hasFailed ? 'reverted' : 'success' }
    // This look began after the last block that could take it.
    if (isOver && !status) throw new LatchkeyError('TRANSACTION_EXPIRED')
    // Whatever was sent before the first look is as old as that at least.
    lastBlock ??= height + lifetimeBlocks
    isOver = height > lastBlock
    await sleep(pollMs, signal)
  }
  throw new LatchkeyError('ABORTED')
}
