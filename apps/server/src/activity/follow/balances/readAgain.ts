import type { Hex } from '../../../evm/hex.ts'
import { isNodeFault } from '../../nodes/askNode.ts'
import type { BlockRange } from '../../nodes/chainData.ts'
import { readRange } from '../../nodes/readRange.ts'
import { hasTraces } from '../../nodes/readTraces.ts'
import type { NativeChange } from '../../query/readChanges.ts'
import { matchesHead } from '../backfill.ts'
import type { LeaderState } from '../followHead.ts'
import type { UnexplainedChange } from './findChanges.ts'

/**
 * Reads the block of a change again, because a node may have traces now that it refused before.
 * Undefined if that does not explain exactly this change, if the change is of several blocks, or if
 * the block cannot be read.
 */
export async function readAgain(
  leader: LeaderState,
  { after, block: { number }, amount }: UnexplainedChange,
  { address, known }: { readonly address: Hex; readonly known: readonly NativeChange[] },
): Promise<BlockRange | undefined> {
  const { node, paces } = leader
  if (number - after > 1 || !hasTraces(node, paces)) return undefined
  const range = await readRange(node, {
    ...{ from: number, to: number, addresses: new Set([address]), setAside: new Set<Hex>() },
    // The size of the answers for one account does not predict their size for all accounts.
    paces: { ...paces },
  }).catch((error: unknown) => {
    if (!isNodeFault(error)) throw error
    return undefined
  })
  if (range === undefined) return undefined
  const moved = range.transactions
    .flatMap(({ transfers }) => transfers)
    .filter(({ standard, from, to }) => standard === 'native' && from !== to)
    .reduce((sum, { from, to, amount }) => {
      if (to === address) return sum + amount
      return from === address ? sum - amount : sum
    }, 0n)
  const before = known.find(({ block }) => block === number)?.moved ?? 0n
  const isWhole = range.blocks.length === 1 && range.unread.size === 0
  return isWhole && matchesHead(leader, range) && moved - before === amount ? range : undefined
}
