/** The message of anything that was thrown, for logs. */
export const getErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : 'unknown'
