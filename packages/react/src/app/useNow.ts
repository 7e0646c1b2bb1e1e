import { useCallback, useSyncExternalStore } from 'react'
import { useApp } from './useApp.ts'

/** How often labels that show an age change, in ms. */
const AGE_STEP_MS = 10_000

/**
 * The current time in ms, rounded down to whole steps of `stepMs`, and updated at each step.
 * Undefined while rendering on a server, because a clock must not be read there.
 */
export function useNow(stepMs: number = AGE_STEP_MS): number | undefined {
  const { now } = useApp().environment
  const subscribe = useCallback(
    (changed: () => void) => {
      const timer = setInterval(changed, stepMs)
      return () => clearInterval(timer)
    },
    [stepMs],
  )
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(now() / stepMs) * stepMs,
    () => undefined,
  )
}
