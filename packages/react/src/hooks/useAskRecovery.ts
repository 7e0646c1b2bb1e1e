import { askRecovery } from '@latchkey/core/internal'
import { useCallback } from 'react'
import { useApp } from '../app/useApp.ts'

/**
 * Returns a function to call before the page gives out the account's address. If the embedded
 * wallet has no way of recovery, the secure frame prompts the user to set up a way, once a visit.
 * Resolves when the user has answered. Rejects with a LatchkeyError if the frame cannot be shown.
 */
export function useAskRecovery(): () => Promise<void> {
  const app = useApp()
  return useCallback(() => askRecovery(app), [app])
}
