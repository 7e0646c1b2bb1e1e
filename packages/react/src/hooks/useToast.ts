import { closeToast, showToast } from '@latchkey/core/internal'
import { useCallback } from 'react'
import { useApp } from '../app/useApp.ts'

/** Shows a short message on the page; it replaces an open message. */
export function useToast() {
  const app = useApp()
  return {
    showToast: useCallback(
      (parameters: Parameters<typeof showToast>[1]) => showToast(app, parameters),
      [app],
    ),
    closeToast: useCallback(() => closeToast(app), [app]),
  }
}
