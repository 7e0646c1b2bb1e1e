import { type App, getMaxSwap, type SwapToken, setSwapDraft } from '@latchkey/core/internal'

/**
 * Fills in the maximum amount of a token that can be swapped for the chosen token, unless the form
 * is changed meanwhile. Throws the errors of `getMaxSwap`.
 */
export async function fillMaxSwap(app: App, token: SwapToken): Promise<void> {
  const before = app.store.getState().swapDraft
  const amount = await getMaxSwap(app, { token, to: before.to })
  const { swapDraft } = app.store.getState()
  const keys = ['from', 'to', 'amount'] as const
  if (keys.every((key) => swapDraft[key] === before[key]))
    setSwapDraft(app, { amount, isMax: true })
}
