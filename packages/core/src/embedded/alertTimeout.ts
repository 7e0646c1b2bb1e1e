import { getPresentation, isError, LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { showAlert } from '../modal/present.ts'

/** A frame that does not answer is shown to the app's developer. */
export function alertTimeout(app: App, error: unknown): never {
  if (isError(error, 'TIMEOUT')) {
    showAlert(app, new LatchkeyError('FRAME_TIMEOUT'))
    throw new LatchkeyError('INTERNAL', { cause: error })
  }
  if (isError(error) && getPresentation(error.code) === 'alert') showAlert(app, error)
  throw error
}
