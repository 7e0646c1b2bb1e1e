import type { Activity, ActivityRow } from '../src/activity/activity.ts'
import { comparePlaces, placeOf } from '../src/history/mergePages.ts'

type Listener = Parameters<Activity['listen']>[1]

/** An `Activity` of rows in memory, all of one account: `rows` may change, `tell` wakes who listens. */
export function heldActivity(rows: ActivityRow[]) {
  const listeners = new Map<string, Set<Listener>>()
  const followed: string[] = []
  const activity: Activity = {
    async follow({ chainId }) {
      followed.push(chainId)
    },
    async page({ chainIds, after, limit }) {
      const rest = rows
        .filter(({ chainId }) => chainIds.includes(chainId))
        .filter((row) => after === undefined || comparePlaces(row, after) > 0)
        .sort(comparePlaces)
      const page = rest.slice(0, limit)
      const last = page.at(-1)
      return { rows: page, next: rest.length > limit && last ? placeOf(last) : undefined }
    },
    sync: async ({ chainId }) =>
      chainId === 'eip155:2'
        ? { complete: false, progress: 0.5, since: '2026-01-02T00:00:00.000Z' }
        : { complete: true, progress: 1, since: null },
    tokensOf: async () => [],
    nftsOf: async () => [],
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
