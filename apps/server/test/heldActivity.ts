import type { Activity, ActivityRow } from '../src/activity/activity.ts'
import { comparePositions, getPosition } from '../src/history/mergePages.ts'

type Listener = Parameters<Activity['listen']>[1]

/**
 * An `Activity` with rows in memory, all of one account. `rows` may change, and `tell` wakes the
 * listeners. `isGrowing`: the blocks below the rows are still being searched.
 */
export function heldActivity(rows: ActivityRow[], isGrowing: () => boolean = () => false) {
  const listeners = new Map<string, Set<Listener>>()
  const followed: string[] = []
  const activity: Activity = {
    async follow({ chainId }) {
      followed.push(chainId)
    },
    async page({ chainIds, after, limit }) {
      const rest = rows
        .filter(({ chainId }) => chainIds.includes(chainId))
        .filter((row) => after === undefined || comparePositions(row, after) > 0)
        .sort(comparePositions)
      const page = rest.slice(0, limit)
      const last = page.at(-1)
      if (rest.length > limit && last)
        return { rows: page, next: getPosition(last), isIncomplete: false, hasNewest: !isGrowing() }
      if (!isGrowing()) return { rows: page, next: undefined, isIncomplete: false, hasNewest: true }
      const begin = {
        chainId: 'eip155:1',
        minedAtMs: 2 ** 48 - 1,
        blockNumber: 1n,
        index: 0,
      } as const
      const next = last ? getPosition(last) : (after ?? begin)
      return { rows: page, next, isIncomplete: true, hasNewest: false }
    },
    sync: async ({ chainId }) =>
      chainId === 'eip155:2'
        ? { complete: false, progress: 0.5, since: '2026-01-02T00:00:00.000Z' }
        : { complete: true, progress: 1, since: null },
    readTokens: async () => [],
    readChanges: async () => [],
    readNfts: async () => [],
    readApprovals: async () => [],
    listen({ chainId }, listener) {
      const all = listeners.get(chainId) ?? new Set()
      listeners.set(chainId, all.add(listener))
      return () => void all.delete(listener)
    },
    stop: async () => {},
  }
  const tell = (chainId: string, type: 'changed' | 'sync') => {
    for (const listener of listeners.get(chainId) ?? []) listener({ type })
  }
  const listening = () => [...listeners.values()].reduce((sum, all) => sum + all.size, 0)
  return { activity, tell, listening, followed }
}
