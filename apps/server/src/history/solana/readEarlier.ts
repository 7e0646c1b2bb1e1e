import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { SolanaNodes } from '../../solana/requestSolana.ts'
import type { ListsRead } from './readNewest.ts'
import { readSignatures } from './readSignatures.ts'
import type { SignatureList } from './solanaStore.ts'

/** The number of lists that are read further at once: those that are furthest behind. */
const maxLists = 50

/**
 * Reads further in lists that are not complete. Throws RPC_UNAVAILABLE, also if a node makes no
 * progress.
 */
export async function readEarlier(
  nodes: SolanaNodes,
  { lists, nowMs }: { readonly lists: readonly SignatureList[]; readonly nowMs: number },
): Promise<ListsRead> {
  const behind = lists
    .filter(({ isComplete, oldest }) => !isComplete && oldest !== undefined)
    .sort((a, b) => ((a.oldest?.slot ?? 0n) < (b.oldest?.slot ?? 0n) ? 1 : -1))
    .slice(0, maxLists)
  const queries = behind.map(({ address, oldest }) => ({ address, before: oldest?.signature }))
  const answers = await readSignatures(nodes, { queries, nowMs })
  const read = behind.map((list, index): SignatureList => {
    const answer = answers[index] ?? []
    const last = answer.at(-1)
    if (last === undefined) return { ...list, isComplete: true }
    const goesOn =
      answer.every(({ slot }) => slot <= (list.oldest?.slot ?? slot)) &&
      answer.every(({ signature }) => signature !== list.oldest?.signature)
    if (!goesOn) throw rpcUnavailable(nodes.chainId)
    return { ...list, oldest: { signature: last.signature, slot: last.slot } }
  })
  // Entries this far back are no longer rolled back.
  return { lists: read, entries: answers.flat().map((entry) => ({ ...entry, final: true })) }
}
