import {
  type AlertCode,
  getAlertText,
  getPresentation,
  isAlert,
  LatchkeyError,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { showErrorToast } from './toast.ts'

/** Shows an alert, unless an alert with its code was shown before: each shows only once. */
export function showAlert(app: App, error: LatchkeyError<AlertCode>): void {
  if (app.runtime.alertsShown.has(error.code)) return
  app.runtime.alertsShown.add(error.code)
  app.store.setState({
    alert: {
      code: error.code,
      shortMessage: error.message,
      longMessage: getAlertText(error),
      error,
    },
  })
}

/** Dismisses the alert. It is not shown again. */
export const dismissAlert = (app: App): void => app.store.setState({ alert: undefined })

/**
 * Shows an error as specified in its table row: as alert or toast. An inline error is left to the
 * view.
 */
export function showError(app: App, error: LatchkeyError): void {
  if (isAlert(error)) showAlert(app, error)
  else if (getPresentation(error.code) === 'toast') showErrorToast(app, error)
}

/** Warns the developer that there is no project id. */
export const reportMissingProject = (app: App): void =>
  showAlert(app, new LatchkeyError('PROJECT_ID_NOT_CONFIGURED'))
