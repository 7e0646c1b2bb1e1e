import { useCallback, useLayoutEffect, useRef } from 'react'

/** A function that stays the same between renders and calls the latest `callback`; for effects, not for rendering. React 18 has none. */
export function useLatestCallback<Parameters extends readonly unknown[], Result>(
  callback: (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return useCallback((...parameters) => latest.current(...parameters), [])
}
