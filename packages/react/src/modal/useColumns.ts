import type { View, ViewName } from '@latchkey/core'
import { useSyncExternalStore } from 'react'
import { useAppState } from '../app/useAppState.ts'

/** Windows with space for two columns. */
const wide = '(min-width: 860px)'

/** The views that are shown next to the list of wallets: all that lead to a connection. */
const nextToList: readonly ViewName[] = [
  'AllWallets',
  'ConnectNamespaces',
  'ConnectSocials',
  'ConnectingExternal',
  'ConnectingFarcaster',
  'ConnectingSocial',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
  'Downloads',
  'EmailVerifyDevice',
  'EmailVerifyOtp',
  'GetAWallet',
  'WhatIsAWallet',
]

/**
 * The depth of the list of wallets in the history, if it is the view itself, or if a press there
 * has led to the view.
 */
export function findList(history: readonly View[]): number | undefined {
  const names = history.map(({ name }) => name)
  const depth = names.lastIndexOf('Connect') + 1
  const isNext = names.slice(depth).every((name) => nextToList.includes(name))
  return depth > 0 && isNext ? depth : undefined
}

/** The view that a press in the list of wallets has opened: what opens it is the current one. */
export const useOpened = (): View | undefined =>
  useAppState(({ modal: { history } }) => {
    const depth = findList(history)
    return depth === undefined ? undefined : history[depth]
  })

/** Whether the window has space for two columns. */
export const useIsWide = (): boolean => useSyncExternalStore(follow, read, () => false)

const read = () => matchMedia(wide).matches

function follow(onChange: () => void) {
  const query = matchMedia(wide)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
