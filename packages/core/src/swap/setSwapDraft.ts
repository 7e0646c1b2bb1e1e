import type { App } from '../app.ts'
import type { SwapDraft } from '../modal/views.ts'

/**
 * Changes some fields of the swap form. A changed amount is no longer the maximum, unless `isMax`
 * is set.
 */
export const setSwapDraft = (app: App, parameters: Partial<SwapDraft>): void =>
  app.store.setState(({ swapDraft }) => ({
    swapDraft: {
      ...swapDraft,
      ...('amount' in parameters && { isMax: undefined }),
      ...parameters,
    },
  }))
