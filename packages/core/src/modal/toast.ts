import type { LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Toast, ToastVariant } from '../state.ts'

/** How long after a toast has ended the next toast starts. */
const toastSwapMs = 150
/** How long a toast stays open. */
const toastAutoCloseMs = 2500

/**
 * Shows a toast. An open toast closes, and the new toast appears after 150 ms; a loading toast
 * stays until closed.
 */
export function showToast(
  app: App,
  parameters: {
    message: string
    variant: ToastVariant
    autoClose?: boolean
    error?: LatchkeyError
  },
): void {
  const { autoClose = parameters.variant !== 'loading' } = parameters
  app.runtime.toastId += 1
  const toast: Toast = { ...parameters, id: app.runtime.toastId, autoClose }
  clearTimeout(app.runtime.toastTimer)
  if (app.signal.aborted) return
  if (!app.store.getState().toast) {
    appear(app, toast)
    return
  }
  app.store.setState({ toast: undefined })
  app.runtime.toastTimer = setTimeout(() => appear(app, toast), toastSwapMs)
}

/** Shows an error as a toast; a page with another language writes it in that language. */
export const showErrorToast = (app: App, error: LatchkeyError): void =>
  showToast(app, { message: error.message, error, variant: 'error' })

/** Closes the open toast and cancels a pending toast. */
export function closeToast(app: App): void {
  clearTimeout(app.runtime.toastTimer)
  app.store.setState({ toast: undefined })
}

function appear(app: App, toast: Toast) {
  app.store.setState({ toast })
  if (toast.autoClose) app.runtime.toastTimer = setTimeout(() => closeToast(app), toastAutoCloseMs)
}
