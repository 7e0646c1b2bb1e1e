import type { App } from '../app.ts'
import { mayClose, pop, push, replaceTop, resetTo, shake } from './history.ts'
import { close, openModal, updateModal } from './modal.ts'
import type { AccountTab, View } from './views.ts'

/** Closes the modal for the user; refuses with a shake while a network has to be chosen first. */
export const closeModal = (app: App): void =>
  updateModal(app, (modal) => (mayClose(modal) ? close(modal) : shake(modal)))

/** Shows a view on top of the current one. */
export const pushView = (app: App, view: View): void =>
  updateModal(app, (modal) => push(modal, view))

/** Replaces the current view. */
export const replaceView = (app: App, view: View): void =>
  updateModal(app, (modal) => replaceTop(modal, view))

/** Returns to the previous view, or closes the modal if it was the first view. */
export const goBack = (app: App): void => updateModal(app, pop)

/** Replaces the whole history with a view. */
export const resetViews = (app: App, view: View): void =>
  updateModal(app, (modal) => resetTo(modal, view))

/**
 * Shows a view on top of the modal's others, or opens the modal on it: for a press in a view that a
 * page may show in itself.
 */
export function showView(app: App, view: View): void {
  if (app.store.getState().modal.open) pushView(app, view)
  else openModal(app, { view })
}

/** Remembers the selected tab of the account. */
export const setAccountTab = (app: App, accountTab: AccountTab): void =>
  app.store.setState({ accountTab })
