import type { App } from '../app.ts'
import { pushView } from './modal.ts'
import type { View, WalletRequest } from './views.ts'

type RequestView = Extract<View, { request?: WalletRequest }>

/**
 * Shows a view and asks the wallet in the same click, because some browsers let a wallet open its window only during one.
 * Leaving the view cancels the request.
 */
export function pushWalletRequest(
  app: App,
  view: RequestView,
  ask: (signal: AbortSignal) => Promise<unknown>,
): void {
  const controller = new AbortController()
  const { signal } = controller
  const answer = ask(signal)
  // The view shows the error.
  answer.catch(() => {})
  const requestView = { ...view, request: { answer, signal, leave: () => controller.abort() } }
  pushView(app, requestView)
  const stop = app.store.subscribe(({ modal }) => {
    if (modal.history.at(-1) === requestView) return
    stop()
    controller.abort()
  })
}
