import {
  type App,
  activeConnection,
  askRecommended,
  getSavedWallets,
  isConnected,
} from '@latchkey/core/internal'
import { useCallback, useEffect, useMemo } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'

/**
 * The directory's recommended wallets and the number of all its wallets; from the last visit until
 * the server has responded. Fetched while `enabled`.
 */
export function useRecommended({ enabled }: { enabled: boolean }) {
  const app = useApp()
  const saved = useMemo(() => getSavedWallets(app), [app])
  const list = useAppState((state) => state.recommended?.list) ?? saved
  const hasFailed = useAppState((state) => state.recommended?.status === 'failed')
  const isLoading = app.config.wallets.enabled && !list && !hasFailed
  const ask = useCallback(() => askRecommended(app), [app])
  useEffect(() => {
    if (enabled) ask()
  }, [enabled, ask])
  return { list, hasFailed, isLoading, ask }
}

/**
 * Prefetches the recommended wallets before the click, unless a wallet is connected or a fetch has
 * failed.
 */
export function prefetchRecommended(app: App): void {
  const state = app.store.getState()
  if (!state.recommended && !isConnected(activeConnection(state))) askRecommended(app)
}
