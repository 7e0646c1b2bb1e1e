import { useEffect, useRef } from 'react'
import { useAppState } from './useAppState.ts'

/**
 * Returns a function that begins a request of the view. Leaving the view cancels the latest
 * request, and so does another view that a wide window shows next to it.
 */
export function useOwnRequest(): () => AbortController {
  const latest = useRef<AbortController>(undefined)
  const depth = useAppState(({ modal }) => modal.history.length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: depth identifies another view
  useEffect(() => () => latest.current?.abort(), [depth])
  return () => {
    latest.current = new AbortController()
    return latest.current
  }
}
