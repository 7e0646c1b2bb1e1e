import type { App } from '../app.ts'
import { pushView } from './modal.ts'
import type { View, WalletRequest } from './views.ts'

type AskingView = Extract<View, { asked?: WalletRequest }>

/**
 * Goes on to a view, and asks in the same click what it waits for: some browsers let a wallet open its window only there.
 * Leaving the view calls it off.
 */
export function pushWalletRequest(
  app: App,
  view: AskingView,
  ask: (signal: AbortSignal) => Promise<unknown>,
): void {
  const controller = new AbortController()
  const { signal } = controller
  const answer = ask(signal)
  // The view tells of it.
  answer.catch(() => {})
  const shown = { ...view, asked: { answer, signal, leave: () => controller.abort() } }
  pushView(app, shown)
  const stop = app.store.subscribe(({ modal }) => {
    if (modal.history.at(-1) === shown) return
    stop()
    controller.abort()
  })
}
