import type { ChainId } from '@latchkey/wire'
import * as z from 'zod'
import type { Hex } from '../../evm/hex.ts'
import { getSelector, hexAddress, hexQuantity } from '../../evm/schemas.ts'
import { findReadFault } from '../../nodes/readReplies.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'
import type { TransactionFacts } from './outsideSource.ts'

const perCall = 50
/** The sender of a transaction chooses the size of these. */
const trim = { emptied: 'accessList', maxString: 1_024 }
const transaction = z.object({
  from: hexAddress,
  to: hexAddress.nullish(),
  nonce: hexQuantity,
  value: hexQuantity,
  input: z.string(),
  transactionIndex: z.string().regex(/^0x[0-7]?[0-9a-f]{1,7}$/i),
})

/**
 * Facts of transactions from the chain's node (`eth_getTransactionByHash`), for transactions of
 * which a source lists only the transfers. Transactions that the node does not have are left out.
 * Throws RPC_UNAVAILABLE.
 */
export async function readTransactions(
  upstreams: Upstreams,
  chainId: ChainId,
  hashes: readonly Hex[],
): Promise<ReadonlyMap<Hex, TransactionFacts>> {
  const found = new Map<Hex, TransactionFacts>()
  for (let start = 0; start < hashes.length; start += perCall) {
    const part = hashes.slice(start, start + perCall)
    const calls = part.map((hash) => ({
      method: 'eth_getTransactionByHash',
      params: JSON.stringify([hash]),
    }))
    const answer = await upstreams.read(chainId, calls, trim)
    if ('fault' in answer || answer.replies.some((reply) => findReadFault(reply)))
      throw rpcUnavailable(chainId)
    for (const [index, hash] of part.entries()) {
      const parsed = transaction.safeParse(answer.replies[index]?.result)
      if (parsed.success) found.set(hash, toFacts(parsed.data))
    }
  }
  return found
}

const toFacts = (data: z.infer<typeof transaction>): TransactionFacts => ({
  from: data.from,
  to: data.to ?? undefined,
  created: undefined,
  nonce: Number(data.nonce),
  valueWei: data.value,
  feeWei: undefined,
  selector: getSelector(data.input),
  // The transaction moved something, so it did not fail.
  status: 'confirmed',
  index: Number(data.transactionIndex),
})
