import { type Hex, toQuantity } from '../../evm/hex.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import { type Node, type NodeReply, requestNode } from './askNode.ts'
import type { ChainBlock } from './chainData.ts'
import { bigField, parseBlock } from './parseFields.ts'

/** A native balance to read: of an account, at the end of a block. */
export type BalanceQuery = { readonly address: Hex; readonly block: number }

/**
 * The native balances that `queries` name, each undefined if the nodes do not have the state, and
 * the block `proof` of the same node. Throws RPC_UNAVAILABLE, TypeError.
 */
export async function readBalances(
  node: Node,
  queries: readonly BalanceQuery[],
  proof: number,
): Promise<{ readonly block: ChainBlock; readonly balances: (bigint | undefined)[] }> {
  const calls = queries.map(({ address, block }) => ({
    method: 'eth_getBalance',
    params: [address, toQuantity(block)],
  }))
  const header = { method: 'eth_getBlockByNumber', params: [toQuantity(proof), false] }
  const replies = await requestNode(node, [header, ...calls])
  if (replies === 'tooLarge') throw rpcUnavailable(node.chainId)
  const [found, ...balances] = replies
  if (!found || !('result' in found) || found.result === null) throw rpcUnavailable(node.chainId)
  return { block: parseBlock(found.result), balances: balances.map(parseBalance) }
}

/**
 * The lowest block after `low` and below `high` at whose end the nodes still have an account's
 * balance, which they do not have at `low`. Undefined if the nodes do not have any of these
 * balances. Throws RPC_UNAVAILABLE, TypeError.
 */
export async function findOldestBalance(
  node: Node,
  { address, low, high }: { readonly address: Hex; readonly low: number; readonly high: number },
): Promise<{ readonly block: number; readonly balance: bigint } | undefined> {
  let missing = low
  let found: { readonly block: number; readonly balance: bigint } | undefined
  while ((found?.block ?? high) - missing > 1) {
    const block = Math.floor(((found?.block ?? high) + missing) / 2)
    const [balance] = (await readBalances(node, [{ address, block }], high)).balances
    if (balance === undefined) missing = block
    else found = { block, balance }
  }
  return found
}

const parseBalance = (reply: NodeReply): bigint | undefined =>
  'result' in reply ? bigField(reply, 'result') : undefined
