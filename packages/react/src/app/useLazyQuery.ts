import type { App } from '@latchkey/core'
import type { QueryKey, QueryObserverOptions, QueryObserverResult } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useApp } from './useApp.ts'
import { useLazyImport } from './useLazyImport.ts'

export type Queries = typeof import('./queries/queries.ts')

/** Code that has been loaded before is available at once. */
let loaded: Queries | undefined

const loadQueries = async () => {
  loaded = await import('./queries/queries.ts')
  return loaded
}

/**
 * A query whose code is loaded after the code that draws, so that the modal's first frame need not
 * wait for it. `result` is undefined until the code has loaded, or if there is no query. A new
 * `getOptions` is a new query. With `isAhead`, the code is loaded before there is a query.
 */
export function useLazyQuery<Data, Key extends QueryKey>({
  getOptions,
  enabled,
  isAhead = false,
}: {
  getOptions:
    | ((queries: Queries, app: App) => QueryObserverOptions<Data, Error, Data, Data, Key>)
    | undefined
  enabled: boolean
  isAhead?: boolean
}): { result: QueryObserverResult<Data> | undefined; hasFailed: boolean } {
  const app = useApp()
  const {
    value: queries = loaded,
    status,
    retry,
  } = useLazyImport(loadQueries, isAhead || getOptions !== undefined)
  useEffect(() => {
    // Load now if loading ahead failed.
    if (enabled) retry()
  }, [enabled, retry])
  const observer = useMemo(
    () => queries && getOptions && queries.observeQuery(app, getOptions(queries, app)),
    [queries, getOptions, app],
  )
  useEffect(() => {
    observer?.setOptions({ ...observer.options, enabled })
  }, [observer, enabled])
  const subscribe = useCallback(
    (changed: () => void) => observer?.subscribe(changed) ?? (() => {}),
    [observer],
  )
  const result = useSyncExternalStore(subscribe, () => observer?.getCurrentResult())
  return { result, hasFailed: status === 'failed' }
}
