import { useCallback, useEffect, useState } from 'react'

type Loaded<Value> = {
  status: 'idle' | 'loading' | 'ready' | 'failed'
  value: Value | undefined
  retry: () => void
}

/** Loads code once it is needed. A failed load can be retried; `load` must not change between renders. */
export function useLoaded<Value>(load: () => Promise<Value>, wanted: boolean): Loaded<Value> {
  const [loaded, setLoaded] = useState<{ value: Value }>()
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    if (!wanted || loaded || failed) return
    let current = true
    load().then(
      (value) => current && setLoaded({ value }),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [load, wanted, loaded, failed])

  const status = loaded ? 'ready' : failed ? 'failed' : wanted ? 'loading' : 'idle'
  return { status, value: loaded?.value, retry: useCallback(() => setFailed(false), []) }
}
