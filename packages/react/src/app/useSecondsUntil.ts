import { useCallback, useSyncExternalStore } from 'react'
import { useApp } from './useApp.ts'

/** How often a countdown is compared with the clock, in ms. */
const TICK_MS = 250

/**
 * Whole seconds until a moment, rounded up. 0 after that moment, and while rendering on a server,
 * because a clock must not be read there.
 */
export function useSecondsUntil(atMs: number): number {
  const { now } = useApp().environment
  const subscribe = useCallback(
    (changed: () => void) => {
      if (atMs <= now()) return () => {}
      const timer = setInterval(() => {
        changed()
        if (atMs <= now()) clearInterval(timer)
      }, TICK_MS)
      return () => clearInterval(timer)
    },
    [atMs, now],
  )
  return useSyncExternalStore(
    subscribe,
    () => (atMs === 0 ? 0 : Math.max(0, Math.ceil((atMs - now()) / 1000))),
    () => 0,
  )
}
