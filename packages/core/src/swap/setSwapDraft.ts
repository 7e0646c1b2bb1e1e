import type { App } from '../app.ts'
import type { SwapDraft } from '../modal/views.ts'

/**
 * Changes some fields of the swap form. Another amount is not the most that can be swapped, unless
 * `isMax` says so.
 */
export const setSwapDraft = (app: App, parameters: Partial<SwapDraft>): void =>
  app.store.setState(({ swapDraft }) => ({
    swapDraft: {
      ...swapDraft,
      ...('amount' in parameters && { isMax: undefined }),
      ...parameters,
    },
  }))
