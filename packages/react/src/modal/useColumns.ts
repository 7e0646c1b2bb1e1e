import type { View, ViewName } from '@latchkey/core'
import { useSyncExternalStore } from 'react'

/** Windows with space for two columns. */
const wide = '(min-width: 860px)'

/** The views that are shown next to the list of wallets. */
const nextToList: readonly ViewName[] = [
  'ConnectNamespaces',
  'ConnectingExternal',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
]

/**
 * The depth of the list of wallets in the history, if it is the view itself, or if the view is
 * about a wallet that was pressed there.
 */
export function findList(history: readonly View[]): number | undefined {
  const names = history.map(({ name }) => name)
  const depth = names.lastIndexOf('Connect') + 1
  const isNext = names.slice(depth).every((name) => nextToList.includes(name))
  return depth > 0 && isNext ? depth : undefined
}

/** Whether the window has space for two columns. */
export const useIsWide = (): boolean => useSyncExternalStore(follow, read, () => false)

const read = () => matchMedia(wide).matches

function follow(onChange: () => void) {
  const query = matchMedia(wide)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
