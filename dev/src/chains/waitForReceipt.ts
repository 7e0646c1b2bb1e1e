import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Hex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'

const pauseMs = 20
const maxWaitMs = 60_000

/**
 * The receipt of a transaction, which a local chain has soon. viem's own
 * `waitForTransactionReceipt` looks again only when there is another block, and can miss the one
 * that a local chain makes for it. Throws TransactionReceiptNotFoundError after a minute.
 */
export async function waitForReceipt(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
): Promise<TransactionReceipt> {
  const endMs = Date.now() + maxWaitMs
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > endMs) throw error
    }
    await sleep(pauseMs)
  }
}
