import type { Hex } from '../../../evm/hex.ts'
import type { Node } from '../../nodes/askNode.ts'
import type { ChainBlock } from '../../nodes/chainData.ts'
import { findOldestBalance, readBalances } from '../../nodes/readBalances.ts'
import { readOperationCosts } from '../../nodes/readOperationCosts.ts'
import type { NativeChange } from '../../query/readChanges.ts'

/**
 * A change of an account's native balance, after the block `after` and up to `block`, that none of
 * its rows explains.
 */
export type UnexplainedChange = {
  readonly after: number
  readonly block: ChainBlock
  readonly amount: bigint
}

/** An account's native balance at both ends of some blocks: after `low`, up to `high`. */
export type WeighedBlocks = {
  readonly low: number
  readonly high: number
  readonly before: bigint
  readonly after: bigint
}

type ChangesParameters = {
  readonly address: Hex
  /** The changes that the account's rows explain. */
  readonly known: readonly NativeChange[]
  /** Smaller changes are left out. */
  readonly dustWei: bigint
}

/**
 * The maximum number of steps for one account. After that, the change of all remaining blocks is
 * one change.
 */
const maxReads = 128

/**
 * Finds the blocks in which the balance changed without a row that explains it, by halving. If the
 * nodes do not have the older state, the first change is of all blocks up to the oldest state that
 * they have. Throws RPC_UNAVAILABLE, TypeError.
 */
export async function findChanges(
  node: Node,
  question: ChangesParameters,
  blocks: WeighedBlocks,
): Promise<UnexplainedChange[]> {
  const found: UnexplainedChange[] = []
  const open = [blocks]
  let reads = 0
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (isSmall(getUnexplained(part, question), question)) continue
    const { address } = question
    const { low, high } = part
    const middle = Math.floor((low + high) / 2)
    if (middle === low || reads++ >= maxReads) {
      found.push(...(await confirm(node, question, part)))
      continue
    }
    const [balance] = (await readBalances(node, [{ address, block: middle }], high)).balances
    const oldest =
      balance === undefined
        ? await findOldestBalance(node, { address, low: middle, high })
        : { block: middle, balance }
    if (oldest === undefined) {
      found.push(...(await confirm(node, question, part)))
      continue
    }
    const [first, second] = [
      { ...part, high: oldest.block, after: oldest.balance },
      { ...part, low: oldest.block, before: oldest.balance },
    ]
    open.push(second)
    if (balance !== undefined) open.push(first)
    else if (!isSmall(getUnexplained(first, question), question))
      found.push(...(await confirm(node, question, first)))
  }
  return found
}

/**
 * Reads both ends again in one request: a node that returns the newest balance for every block
 * returns the same balance twice, and its response is not used. A change that is no larger than the
 * fees of the account's own transactions is left out: networks charge fees in ways that receipts do
 * not show.
 */
async function confirm(
  node: Node,
  question: ChangesParameters,
  part: WeighedBlocks,
): Promise<UnexplainedChange[]> {
  const { address } = question
  const { low, high } = part
  const places = [
    { address, block: low },
    { address, block: high },
  ]
  const { block, balances } = await readBalances(node, places, high)
  const [before = part.before, after] = balances
  if (after === undefined || before === after) return []
  const left = getUnexplained({ ...part, before, after }, question)
  const costs = left < 0n ? await readOperationCosts(node, { address, low, high }) : 0n
  // Another account may have added to the deposits: the costs explain at most the missing amount.
  const amount = left < 0n && costs > -left ? 0n : left + costs
  const fees = sumUp(question, part, ({ fees }) => fees)
  return isSmall(amount, question) || abs(amount) <= fees ? [] : [{ after: low, block, amount }]
}

const getUnexplained = (part: WeighedBlocks, question: ChangesParameters): bigint =>
  part.after - part.before - sumUp(question, part, ({ change }) => change)

const sumUp = (
  { known }: ChangesParameters,
  { low, high }: WeighedBlocks,
  pick: (change: NativeChange) => bigint,
): bigint =>
  known
    .filter(({ block }) => block > low && block <= high)
    .reduce((sum, change) => sum + pick(change), 0n)

const abs = (amount: bigint) => (amount < 0n ? -amount : amount)

const isSmall = (amount: bigint, { dustWei }: ChangesParameters) => abs(amount) < dustWei
