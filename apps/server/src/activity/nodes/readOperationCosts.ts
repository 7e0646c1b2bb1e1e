import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction'
import { type Hex, toQuantity } from '../../evm/hex.ts'
import { type Node, type NodeReply, requestNode } from './askNode.ts'
import { operationTopic } from './decodeOperations.ts'
import { wordAt } from './decodeTransfers.ts'
import { hexField, parseList, parseLog } from './parseFields.ts'

const entryPoints = [
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
]
const balanceOf = '0x70a08231'

/**
 * The amount that an account paid to EntryPoints after the block `low`, up to `high`, for its user
 * operations without a paymaster: the costs of these operations and the growth of its deposits. 0
 * if it had no such operation, or if the nodes do not answer. Throws RPC_UNAVAILABLE, TypeError.
 */
export async function readOperationCosts(
  node: Node,
  { address, low, high }: { readonly address: Hex; readonly low: number; readonly high: number },
): Promise<bigint> {
  const owner = address.slice(2).padStart(64, '0')
  const filter = {
    ...{ fromBlock: toQuantity(low + 1), toBlock: toQuantity(high), address: entryPoints },
    topics: [operationTopic, null, `0x${owner}`],
  }
  const logs = await requestNode(node, [{ method: 'eth_getLogs', params: [filter] }])
  if (logs === 'tooLarge') return 0n
  const costs = logs.flatMap(parseCosts)
  if (costs.length === 0) return 0n
  const deposits = entryPoints.flatMap((to) =>
    [low, high].map((block) => ({
      method: 'eth_call',
      params: [{ to, data: `${balanceOf}${owner}` }, toQuantity(block)],
    })),
  )
  const replies = await requestNode(node, deposits)
  if (replies === 'tooLarge') return 0n
  const growth = replies
    .map(parseDeposit)
    .reduce((sum, deposit, index) => (index % 2 === 0 ? sum - deposit : sum + deposit), 0n)
  const paid = costs.reduce((sum, cost) => sum + cost, growth)
  return paid > 0n ? paid : 0n
}

/**
 * The costs of the operations that the account itself paid for: the event names the paymaster
 * third, and the cost is its third word.
 */
const parseCosts = (reply: NodeReply): bigint[] =>
  'result' in reply
    ? parseList(reply.result)
        .map(parseLog)
        .filter(({ topics }) => BigInt(topics[3] ?? '0x1') === 0n)
        .map(({ data }) => wordAt(data, 2) ?? 0n)
    : []

/** A deposit; 0 if the contract does not exist. */
const parseDeposit = (reply: NodeReply): bigint =>
  'result' in reply ? (wordAt(hexField({ ...reply }, 'result'), 0) ?? 0n) : 0n
