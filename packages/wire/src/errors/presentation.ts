import { type AlertCode, alertTexts } from './alertTexts.ts'
import { type ErrorCode, fillText, type LatchkeyError } from './errors.ts'

/**
 * How an error is shown: an alert (once each), a toast (if it happened elsewhere) or inline at the
 * place of the action.
 */
export type Presentation = 'alert' | 'toast' | 'inline'

const toasts: readonly ErrorCode[] = [
  'REQUEST_NOT_ALLOWED',
  'ACTION_NOT_ALLOWED',
  'INVALID_SEND_INPUT',
  'TRANSACTION_NOT_SENT',
  'SEND_FAILED',
  'SIGNATURE_DECLINED',
  'TOKEN_BALANCE_UNAVAILABLE',
  'HISTORY_FAILED',
]

/** Whether an error is shown as an alert. */
export const isAlert = (error: LatchkeyError): error is LatchkeyError<AlertCode> =>
  error.code in alertTexts

/** How an error of this code is shown. */
export function getPresentation(code: ErrorCode): Presentation {
  if (code in alertTexts) return 'alert'
  return toasts.includes(code) ? 'toast' : 'inline'
}

/** The second sentence of an alert; empty for all other errors. */
export const getAlertText = ({ code, data }: LatchkeyError): string =>
  fillText((alertTexts as Readonly<Record<string, string>>)[code] ?? '', data)
