import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * A function with a stable identity that calls the latest `callback`; for effects, not for
 * rendering. React 18 has no such hook.
 */
export function useLatestCallback<Parameters extends readonly unknown[], Result>(
  callback: (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return useCallback((...parameters) => latest.current(...parameters), [])
}
