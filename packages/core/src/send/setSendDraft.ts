import type { App } from '../app.ts'
import type { SendDraft } from '../modal/views.ts'
import { emptySendDraft } from '../state.ts'

/** Changes some fields of the send form. */
export const setSendDraft = (app: App, parameters: Partial<SendDraft>): void =>
  app.store.setState(({ sendDraft }) => ({ sendDraft: { ...sendDraft, ...parameters } }))

/** Empties the send form. */
export const resetSendDraft = (app: App): void => app.store.setState({ sendDraft: emptySendDraft })
