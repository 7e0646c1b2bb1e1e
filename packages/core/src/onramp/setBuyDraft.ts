import type { App } from '../app.ts'
import type { BuyDraft } from '../modal/views.ts'

/** The form of a purchase as it starts. */
export const emptyBuyDraft: BuyDraft = { amount: '' }

/** Changes some fields of the form of a purchase. */
export const setBuyDraft = (app: App, parameters: Partial<BuyDraft>): void =>
  app.store.setState(({ buyDraft }) => ({
    buyDraft: { ...emptyBuyDraft, ...buyDraft, ...parameters },
  }))
