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
 * The directory's recommended wallets and the number of all its wallets; those of the last visit
 * until the server has answered. It is asked while `enabled`.
 */
export function useRecommended({ enabled }: { enabled: boolean }) {
  const app = useApp()
  const saved = useMemo(() => getSavedWallets(app), [app])
  const list = useAppState((state) => state.recommended?.list) ?? saved
  const hasFailed = useAppState((state) => state.recommended?.status === 'failed')
  const isLoading = app.config.enableWallets !== false && !list && !hasFailed
  const ask = useCallback(() => askRecommended(app), [app])
  useEffect(() => {
    if (enabled) ask()
  }, [enabled, ask])
  return { list, hasFailed, isLoading, ask }
}

/** Asks for them ahead of the click: not where a wallet is connected, nor after a failure. */
export function prefetchRecommended(app: App): void {
  const state = app.store.getState()
  if (!state.recommended && !isConnected(activeConnection(state))) askRecommended(app)
}
