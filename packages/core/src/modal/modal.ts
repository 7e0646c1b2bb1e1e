import type { App } from '../app.ts'
import { activeConnection, isConnected, type ModalState } from '../state.ts'
import { close, mayClose, openOn, pop, push, replaceTop, resetTo, shake } from './history.ts'
import type { AccountTab, View } from './views.ts'

const update = (app: App, change: (modal: ModalState) => ModalState) =>
  app.store.setState(({ modal }) => ({ modal: change(modal) }))

/** Opens the modal: on the view asked for, else on Account when connected, else on Connect. */
export function openModal(app: App, parameters: { view?: View } = {}): void {
  const state = app.store.getState()
  const view: View = isUnsupported(app)
    ? { name: 'UnsupportedChain' }
    : (parameters.view ?? {
        name: isConnected(activeConnection(state)) ? 'Account' : 'Connect',
      })
  if (view.name === 'Account' && view.tab) app.store.setState({ accountTab: view.tab })
  update(app, (modal) => openOn(modal, view))
}

/** Whether the wallet's network blocks the modal. */
export const isUnsupported = (app: App): boolean =>
  app.store.getState().unsupportedChainId !== undefined &&
  app.config.enableNetworkSwitch !== false &&
  app.config.allowUnsupportedChain !== true

/** Closes for a person; refuses with a shake while the network has to be chosen first. */
export const closeModal = (app: App): void =>
  update(app, (modal) => (mayClose(modal) ? close(modal) : shake(modal)))

/** Closes whatever is shown: for code that has finished, for example after a disconnect. */
export const forceCloseModal = (app: App): void => update(app, close)

/** Shows a view on top of the current one. */
export const pushView = (app: App, view: View): void => update(app, (modal) => push(modal, view))

/** Shows a view in the place of the present one. */
export const replaceView = (app: App, view: View): void =>
  update(app, (modal) => replaceTop(modal, view))

/** Goes back to the view before, or closes the modal if there is none. */
export const goBack = (app: App): void => update(app, pop)

/** Replaces the whole history with one view. */
export const resetViews = (app: App, view: View): void =>
  update(app, (modal) => resetTo(modal, view))

/** Shows a view on top of the modal's others, or opens the modal on it. */
export function showView(app: App, view: View): void {
  if (app.store.getState().modal.open) pushView(app, view)
  else openModal(app, { view })
}

/** Remembers the selected tab of the account. */
export const setAccountTab = (app: App, accountTab: AccountTab): void =>
  app.store.setState({ accountTab })
