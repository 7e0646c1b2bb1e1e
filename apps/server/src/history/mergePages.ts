import type { ChainId } from '@latchkey/wire'
import type { ActivityPage, ActivityPlace, ActivityRow } from '../activity/activity.ts'
import type { SourceOf } from './sources/historySource.ts'

type Hex = `0x${string}`

type Params = {
  readonly sourceOf: SourceOf
  readonly address: Hex
  readonly chainIds: readonly ChainId[]
  readonly after: ActivityPlace | undefined
  readonly limit: number
}

/**
 * The next rows of several chains in one order: newest first, chains of the same moment by their id, backwards. Every chain is asked
 * for a whole page after the place, so nothing is missed and nothing told twice, whatever comes in meanwhile. A chain that
 * is still looked up does not hold back the others: what comes later and above the next place is seen from the start.
 */
export async function mergePages({
  sourceOf,
  address,
  chainIds,
  after,
  limit,
}: Params): Promise<ActivityPage> {
  const pages = await Promise.all(
    chainIds.map(async (chainId) => sourceOf(chainId)?.page({ chainId, address, after, limit })),
  )
  const rows = pages.flatMap((page) => page?.rows ?? []).sort(comparePlaces)
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  const hasNewest = pages.every((page) => page?.hasNewest !== false)
  const more = rows.length > limit || pages.some((page) => page?.next && !page.isGrowing)
  if (more && last !== undefined)
    return { rows: kept, next: placeOf(last), isGrowing: false, hasNewest }
  const [floor] = pages.flatMap((page) => (page?.isGrowing && page.next) || []).sort(comparePlaces)
  const next = floor && last && comparePlaces(last, floor) > 0 ? placeOf(last) : floor
  return { rows: kept, next, isGrowing: floor !== undefined, hasNewest }
}

/** Where a row stands. */
export const placeOf = ({
  minedAtMs,
  chainId,
  blockNumber,
  index,
}: ActivityRow): ActivityPlace => ({
  minedAtMs,
  chainId,
  blockNumber,
  index,
})

/** Newest first, as the index has it. */
export function comparePlaces(a: ActivityPlace, b: ActivityPlace): number {
  if (a.minedAtMs !== b.minedAtMs) return b.minedAtMs - a.minedAtMs
  if (a.chainId !== b.chainId) return a.chainId < b.chainId ? 1 : -1
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? 1 : -1
  return b.index - a.index
}
