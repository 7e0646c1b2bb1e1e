import { isAlert, isError, LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { showAlert } from '../modal/showError.ts'

/** Notifies the app's developer of a frame that does not respond. */
export function alertTimeout(app: App, error: unknown): never {
  if (isError(error, 'TIMEOUT')) {
    showAlert(app, new LatchkeyError('FRAME_TIMEOUT'))
    throw new LatchkeyError('INTERNAL', { cause: error })
  }
  if (isError(error) && isAlert(error)) showAlert(app, error)
  throw error
}
