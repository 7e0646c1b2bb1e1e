import { readAssets } from '../../solana/readAssets.ts'
import type { SolanaNodes } from '../../solana/requestSolana.ts'
import { type ListQuery, readSignatures, type SignatureEntry } from './readSignatures.ts'
import type { SignatureList } from './solanaStore.ts'

/**
 * The number of token accounts whose lists are read in addition to the account's own list; the
 * largest amounts come first.
 */
const maxTokenAccounts = 100
/**
 * The number of portions of new entries that are read at once. Earlier portions are read with the
 * pages.
 */
const maxPortions = 3

type Parameters = {
  readonly owner: string
  readonly lists: readonly SignatureList[]
  readonly nowMs: number
}

/** The result of reading some lists: how far they are read now, and their entries. */
export type ListsRead = {
  readonly lists: readonly SignatureList[]
  readonly entries: readonly SignatureEntry[]
}

type NewsRead = ListsRead & {
  /** False if the nodes do not list the token accounts. */
  readonly isComplete: boolean
}

/**
 * Reads the entries since the last time: of the account's own list, and of the lists of its token
 * accounts, which contain transfers that do not name the account itself. Throws RPC_UNAVAILABLE.
 */
export async function readNewestSlots(
  nodes: SolanaNodes,
  { owner, lists, nowMs }: Parameters,
): Promise<NewsRead> {
  const { tokenAccounts, isComplete } = await readAssets(nodes, owner)
  const known = new Map(lists.map((list) => [list.address, list]))
  const largest = [...tokenAccounts].sort((a, b) => (a.amount < b.amount ? 1 : -1))
  const room = Math.max(0, maxTokenAccounts - known.size)
  const added = largest.map(({ address }) => address).filter((address) => !known.has(address))
  const addresses = new Set([owner, ...known.keys(), ...added.slice(0, room)])
  const found = new Map<string, SignatureEntry[]>()
  let queries: ListQuery[] = [...addresses].map((address) => ({
    address,
    until: known.get(address)?.newest,
  }))
  const open = new Set<string>()
  for (let portion = 0; portion < maxPortions && queries.length > 0; portion++) {
    const answers = await readSignatures(nodes, { queries, nowMs })
    open.clear()
    const following: ListQuery[] = []
    for (const [index, query] of queries.entries()) {
      const answer = answers[index] ?? []
      found.set(query.address, [...(found.get(query.address) ?? []), ...answer])
      const last = answer.at(-1)
      // The first read of a list ends at the start of its pages.
      if (last === undefined || query.until === undefined) continue
      open.add(query.address)
      following.push({ ...query, before: last.signature })
    }
    queries = following
  }
  const read = [...addresses].map((address) => {
    const list = known.get(address)
    return advance(list ?? emptyList(address), found.get(address) ?? [], open.has(address))
  })
  return { lists: read, entries: [...found.values()].flat(), isComplete }
}

const emptyList = (address: string): SignatureList => ({
  address,
  newest: undefined,
  oldest: undefined,
  isComplete: false,
})

/**
 * The progress of a list after new entries. If they do not reach the known entries, reading
 * continues from their end.
 */
function advance(
  list: SignatureList,
  news: readonly SignatureEntry[],
  isOpen: boolean,
): SignatureList {
  const newest = news.find(({ final }) => final)?.signature ?? list.newest
  const last = news.at(-1)
  if (last === undefined) return { ...list, newest, isComplete: list.isComplete || !list.oldest }
  const { signature, slot } = last
  const reaches = list.newest === undefined ? slot <= (list.oldest?.slot ?? -1n) : !isOpen
  return reaches
    ? { ...list, newest }
    : { ...list, newest, oldest: { signature, slot }, isComplete: false }
}
