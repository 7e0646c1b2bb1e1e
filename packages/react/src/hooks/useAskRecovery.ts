import { askRecovery } from '@latchkey/core/internal'
import { useCallback } from 'react'
import { useApp } from '../app/useApp.ts'

/**
 * Returns a function to call before the page gives out an address of the account; without an
 * address, it is the one on the selected network. If it belongs to an embedded wallet that has no
 * way of recovery, the secure frame prompts the user to set up a way, once a visit. Resolves when
 * the user has answered. Rejects with a LatchkeyError: USER_REJECTED if the user closes the
 * question, otherwise the frame cannot be shown.
 */
export function useAskRecovery(): (address?: string) => Promise<void> {
  const app = useApp()
  return useCallback((address) => askRecovery(app, { address }), [app])
}
