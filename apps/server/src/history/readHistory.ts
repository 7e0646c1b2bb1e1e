import type { ChainId, HistorySync, HistoryTransaction } from '@latchkey/wire'
import type { ActivityPage, ActivityPosition, ActivityRow, Asker } from '../activity/activity.ts'
import type { Hex } from '../evm/hex.ts'
import { getPosition, mergePages } from './mergePages.ts'
import type { GetHistorySource } from './sources/historySource.ts'

/** Turns a row into an entry; undefined if nothing of the row is shown. */
type Present = (
  rows: readonly ActivityRow[],
) => Promise<readonly (HistoryTransaction | undefined)[]>

type Params = {
  readonly getSource: GetHistorySource
  readonly address: Hex
  readonly chainIds: readonly ChainId[]
  readonly after: ActivityPosition | undefined
  readonly asker: Asker
  readonly present: Present
}

const pageSize = 50
/**
 * Pages full of spam are skipped up to a limit; after that a page may be short, and `next`
 * continues.
 */
const maxReads = 4

type HistoryPage = Omit<ActivityPage, 'rows'> & { readonly data: readonly HistoryTransaction[] }

/**
 * A page of an account's activity on some chains, and the start of the next page. Throws the errors
 * of the sources.
 */
export async function readHistory(params: Params): Promise<HistoryPage> {
  const { present } = params
  const data: HistoryTransaction[] = []
  let after = params.after
  let hasNewest = true
  let unread: ActivityPage['unread']
  for (let reads = 0; reads < maxReads; reads++) {
    const page = await mergePages({ ...params, after, limit: pageSize })
    const { rows, next, isIncomplete, isCut } = page
    unread ??= page.unread
    if (reads === 0) hasNewest = page.hasNewest
    for (const [index, shown] of (await present(rows)).entries()) {
      const row = rows[index]
      if (shown === undefined || row === undefined) continue
      data.push(shown)
      if (data.length < pageSize) continue
      const last = index === rows.length - 1
      return { data, next: last ? next : getPosition(row), isIncomplete: false, hasNewest, unread }
    }
    if (next === undefined || isIncomplete || isCut)
      return { data, next, isIncomplete, hasNewest, unread }
    after = next
  }
  return { data, next: after, isIncomplete: false, hasNewest, unread }
}

/** The progress of several chains together. */
export async function readSync({
  getSource,
  address,
  chainIds,
}: Pick<Params, 'getSource' | 'address' | 'chainIds'>): Promise<HistorySync> {
  const all = await Promise.all(
    chainIds.map(async (chainId) => getSource(chainId)?.sync({ chainId, address })),
  )
  const known = all.filter((sync) => sync !== undefined)
  const since = known.flatMap((sync) => sync.since ?? []).sort()
  const unread = known.flatMap((sync) => sync.unread ?? [])
  const progress = known.reduce((sum, sync) => sum + sync.progress, 0) / (known.length || 1)
  return {
    complete: known.every(({ complete }) => complete),
    progress: known.length === 0 ? 1 : progress,
    since: since.at(-1) ?? null,
    ...(unread.length > 0 && {
      unread: {
        blocks: unread.reduce((sum, { blocks }) => sum + blocks, 0),
        latest:
          unread
            .map(({ latest }) => latest)
            .sort()
            .at(-1) ?? '',
      },
    }),
  }
}
