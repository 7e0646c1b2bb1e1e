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
 * Waits for the receipt of a transaction, which a local chain has soon. viem's
 * `waitForTransactionReceipt` polls only after another block, and can miss the block that a local
 * chain mines for the transaction. Throws TransactionReceiptNotFoundError after a minute.
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
