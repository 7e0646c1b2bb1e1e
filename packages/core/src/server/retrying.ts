import { isError } from '@latchkey/wire'

/** Retries after a first failure, the first after a second, then twice as long each. */
const maxRetries = 3
const firstRetryMs = 1_000
/** Failures that a retry cannot fix. */
const lasting = ['ANSWER_INVALID', 'INVALID_PROJECT_ID', 'INVALID_APP_CONFIGURATION'] as const

/** Whether a read that failed is to be tried again. `failures` counts those before. */
export const canRetry = (failures: number, error: unknown): boolean =>
  failures < maxRetries && !isLasting(error)

/** The delay before the next retry. `failures` as for {@link canRetry}. */
export const retryDelayMs = (failures: number): number => firstRetryMs * 2 ** failures

function isLasting(error: unknown): boolean {
  if (isError(error, 'HTTP_FAILED')) return Number(error.data.status) < 500
  return lasting.some((code) => isError(error, code))
}
