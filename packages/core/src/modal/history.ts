import type { ModalState } from '../state.ts'
import { close } from './modal.ts'
import type { View } from './views.ts'

/** Puts a view on top. If that view is already on top, it stays. */
export function push(modal: ModalState, view: View): ModalState {
  const top = modal.history.at(-1)
  if (top && JSON.stringify(top) === JSON.stringify(view)) return modal
  return { ...modal, history: [...modal.history, view], direction: 'forward' }
}

/** Replaces the view on top. */
export const replaceTop = (modal: ModalState, view: View): ModalState => ({
  ...modal,
  history: [...modal.history.slice(0, -1), view],
  direction: 'forward',
})

/** Replaces the whole history. */
export const resetTo = (modal: ModalState, view: View): ModalState => ({
  ...modal,
  history: [view],
  direction: 'forward',
})

/**
 * Removes the latest view; closes if only a single view remains or the history contains
 * UnsupportedChain.
 */
export function pop(modal: ModalState): ModalState {
  const unsupported = modal.history.some(({ name }) => name === 'UnsupportedChain')
  if (modal.history.length <= 1 || unsupported) return close(modal)
  return { ...modal, history: modal.history.slice(0, -1), direction: 'back' }
}

/** Refuses to close: the view shakes. */
export const shake = (modal: ModalState): ModalState => ({ ...modal, shakes: modal.shakes + 1 })

/**
 * Whether the user may close the modal now: not on UnsupportedChain, nor on the SwitchNetwork
 * reached from it, nor while a sign-in is required.
 */
export function mayClose(modal: ModalState): boolean {
  const view = modal.history.at(-1)
  const top = view?.name
  if (top === 'UnsupportedChain' || (view && 'isRequired' in view && view.isRequired)) return false
  return !(top === 'SwitchNetwork' && modal.history.some(({ name }) => name === 'UnsupportedChain'))
}
