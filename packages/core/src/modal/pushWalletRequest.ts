import type { App } from '../app.ts'
import { openModal } from './modal.ts'
import { pushView } from './navigate.ts'
import type { View, WalletRequest } from './views.ts'

type RequestView = Extract<View, { request?: WalletRequest }>
type SendRequest = (signal: AbortSignal) => Promise<unknown>

/**
 * Shows a view and sends the wallet's request in the same click, because some browsers let a wallet
 * open its window only during a click. Leaving the view cancels the request.
 */
export const pushWalletRequest = (app: App, view: RequestView, ask: SendRequest): void =>
  showRequest(app, view, ask, (app, view) => pushView(app, view))

/** Like {@link pushWalletRequest}, for a view with which the modal opens. */
export const openWalletRequest = (app: App, view: RequestView, ask: SendRequest): void =>
  showRequest(app, view, ask, (app, view) => openModal(app, { view }))

function showRequest(
  app: App,
  view: RequestView,
  ask: SendRequest,
  show: (app: App, view: RequestView) => void,
): void {
  const controller = new AbortController()
  const { signal } = controller
  const answer = ask(signal)
  // The view shows the error.
  answer.catch(() => {})
  const requestView = { ...view, request: { answer, signal, leave: () => controller.abort() } }
  show(app, requestView)
  const stop = app.store.subscribe(({ modal }) => {
    if (modal.history.at(-1) === requestView) return
    stop()
    controller.abort()
  })
}
