import type { App } from '../createApp.ts'
import { openModal, pushView } from './modal.ts'
import type { View } from './views.ts'

/** Shows a view on top of the modal's others, or opens the modal on it. */
export function showView(app: App, view: View): void {
  if (app.store.getState().modal.open) pushView(app, view)
  else openModal(app, { view })
}
