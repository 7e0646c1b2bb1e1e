import type { App } from '../app.ts'
import { activeConnection, isConnected, type ModalState } from '../state.ts'
import type { View } from './views.ts'

/** Changes the state of the modal. */
export const updateModal = (app: App, change: (modal: ModalState) => ModalState) =>
  app.store.setState(({ modal }) => ({ modal: change(modal) }))

/**
 * Opens the modal: on the requested view, else on Account if connected, else on Connect. A `draft`
 * of the view Send replaces the whole form; the user still reviews and sends it.
 */
export function openModal(app: App, parameters: { view?: View } = {}): void {
  const state = app.store.getState()
  const view: View = isUnsupported(app)
    ? { name: 'UnsupportedChain' }
    : (parameters.view ?? {
        name: isConnected(activeConnection(state)) ? 'Account' : 'Connect',
      })
  if (view.name === 'Account' && view.tab) app.store.setState({ accountTab: view.tab })
  if (view.name === 'Send' && view.draft) app.store.setState({ sendDraft: view.draft })
  updateModal(app, (modal) => openOn(modal, view))
}

/** Whether the wallet's network blocks the modal. */
export const isUnsupported = (app: App): boolean =>
  app.store.getState().unsupportedChainId !== undefined &&
  app.config.modal.networkSwitch &&
  !app.config.modal.allowUnsupportedChain

/** Closes the current view: for code that has finished, for example after a disconnect. */
export const forceCloseModal = (app: App): void => updateModal(app, close)

/** Opens on a view, with nothing behind it. */
const openOn = (modal: ModalState, view: View): ModalState => ({
  ...modal,
  open: true,
  history: [view],
  direction: 'forward',
})

/** Closes, with no view left. */
export const close = (modal: ModalState): ModalState => ({ ...modal, open: false, history: [] })
