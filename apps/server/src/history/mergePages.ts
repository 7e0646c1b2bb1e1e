import type { ChainId } from '@latchkey/wire'
import type { ActivityPage, ActivityPosition, ActivityRow, Asker } from '../activity/activity.ts'
import type { Hex } from '../evm/hex.ts'
import type { GetHistorySource } from './sources/historySource.ts'

type Params = {
  readonly getSource: GetHistorySource
  readonly address: Hex
  readonly chainIds: readonly ChainId[]
  readonly after: ActivityPosition | undefined
  readonly limit: number
  readonly asker: Asker
}

/**
 * The next rows of several chains in one order: newest first, chains of the same moment by their
 * id, backwards. Requests a whole page after the place from every chain, so no row is missed or
 * repeated if others are added in the meantime. If a source shortened the page of a chain, the
 * merged page ends there. A chain that is still being indexed does not delay the others: rows that
 * come later, above the next place, appear when the client starts again from the first page.
 */
export async function mergePages({
  getSource,
  address,
  chainIds,
  after,
  limit,
  asker,
}: Params): Promise<ActivityPage> {
  const pages = await Promise.all(
    chainIds.map(async (chainId) =>
      getSource(chainId)?.page({ chainId, address, after, limit, asker }),
    ),
  )
  const cuts = pages.flatMap((page) => (page?.isCut && page.next) || [])
  const [cut] = cuts.sort(comparePositions)
  const rows = pages
    .flatMap((page) => page?.rows ?? [])
    .filter((row) => cut === undefined || comparePositions(row, cut) < 0)
    .sort(comparePositions)
  const firstRows = rows.slice(0, limit)
  const last = firstRows.at(-1)
  const hasNewest = pages.every((page) => page?.hasNewest !== false)
  const unread = sumUnread(pages)
  if (cut !== undefined && rows.length <= limit)
    return { rows, next: cut, isIncomplete: false, isCut: true, hasNewest, unread }
  const more = rows.length > limit || pages.some((page) => page?.next && !page.isIncomplete)
  if (more && last !== undefined)
    return { rows: firstRows, next: getPosition(last), isIncomplete: false, hasNewest, unread }
  const [floor] = pages
    .flatMap((page) => (page?.isIncomplete && page.next) || [])
    .sort(comparePositions)
  const next = floor && last && comparePositions(last, floor) > 0 ? getPosition(last) : floor
  return { rows: firstRows, next, isIncomplete: floor !== undefined, hasNewest, unread }
}

function sumUnread(pages: readonly (ActivityPage | undefined)[]): ActivityPage['unread'] {
  const all = pages.flatMap((page) => page?.unread ?? [])
  if (all.length === 0) return undefined
  const blocks = all.reduce((sum, one) => sum + one.blocks, 0)
  return { blocks, latestMs: Math.max(...all.map(({ latestMs }) => latestMs)) }
}

/** The position of a row. */
export const getPosition = ({
  minedAtMs,
  chainId,
  blockNumber,
  index,
}: ActivityRow): ActivityPosition => ({
  minedAtMs,
  chainId,
  blockNumber,
  index,
})

/** Newest first, in the order of the index. */
export function comparePositions(a: ActivityPosition, b: ActivityPosition): number {
  if (a.minedAtMs !== b.minedAtMs) return b.minedAtMs - a.minedAtMs
  if (a.chainId !== b.chainId) return a.chainId < b.chainId ? 1 : -1
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? 1 : -1
  return b.index - a.index
}
