import { useSyncExternalStore } from 'react'
import { readWatched, subscribeWatched, type Watched } from './watched.ts'

/** The watched accounts of this browser. */
export const useWatched = (): readonly Watched[] =>
  useSyncExternalStore(subscribeWatched, readWatched)
