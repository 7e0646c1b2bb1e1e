import { isError } from '@latchkey/wire'

/** The first retry is after a second; each later delay is twice as long. */
const maxRetries = 3
const firstRetryMs = 1_000
/** Failures that a retry cannot fix. */
const lasting = ['ANSWER_INVALID', 'INVALID_PROJECT_ID', 'INVALID_APP_CONFIGURATION'] as const

/** Whether to retry a failed read. `failures` is the number of earlier failures. */
export const canRetry = (failures: number, error: unknown): boolean =>
  failures < maxRetries && !isLasting(error)

/** The delay before the next retry. `failures` as for {@link canRetry}. */
export const retryDelayMs = (failures: number): number => firstRetryMs * 2 ** failures

function isLasting(error: unknown): boolean {
  if (isError(error, 'HTTP_FAILED')) return Number(error.data.status) < 500
  return lasting.some((code) => isError(error, code))
}
