import type { App } from '../app.ts'
import type { SwapDraft } from '../modal/views.ts'

/** Changes some fields of the swap form. */
export const setSwapDraft = (app: App, parameters: Partial<SwapDraft>): void =>
  app.store.setState(({ swapDraft }) => ({ swapDraft: { ...swapDraft, ...parameters } }))
