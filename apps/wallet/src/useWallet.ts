import { useMemo, useSyncExternalStore } from 'react'
import { readState, readText, type State, watchState } from './state.ts'

/** The wallet's state, renewed after each change in any window. */
export function useWallet(): State {
  const text = useSyncExternalStore(watchState, readText)
  // biome-ignore lint/correctness/useExhaustiveDependencies: readState parses it
  return useMemo(readState, [text])
}
