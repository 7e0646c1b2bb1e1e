import { type App, showToast, type View } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'

/**
 * Shows why something was not sent to a user who has left the view, which would show it otherwise.
 */
export function reportFailure(
  app: App,
  { view, cause, text }: { view: View['name']; cause: unknown; text: string },
) {
  const { open, history } = app.store.getState().modal
  const isSeen = open && history.at(-1)?.name === view
  if (isSeen || isError(cause, 'USER_REJECTED') || isError(cause, 'ABORTED')) return
  showToast(app, { message: text, variant: 'error' })
}
