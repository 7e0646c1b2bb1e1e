import { useCallback, useEffect, useState } from 'react'

type Loaded<Value> = {
  status: 'idle' | 'loading' | 'ready' | 'failed'
  value: Value | undefined
  retry: () => void
}

/**
 * Loads code once it is needed. A failed load can be retried; `load` must not change between
 * renders.
 */
export function useLazyImport<Value>(load: () => Promise<Value>, isWanted: boolean): Loaded<Value> {
  const [loaded, setLoaded] = useState<{ value: Value }>()
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    if (!isWanted || loaded || failed) return
    let current = true
    load().then(
      (value) => current && setLoaded({ value }),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [load, isWanted, loaded, failed])

  const status = loaded ? 'ready' : failed ? 'failed' : isWanted ? 'loading' : 'idle'
  return { status, value: loaded?.value, retry: useCallback(() => setFailed(false), []) }
}
