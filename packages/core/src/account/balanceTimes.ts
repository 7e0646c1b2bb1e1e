/** How long a portfolio is valid, in milliseconds. */
export const portfolioLifetimeMs = 30_000
/** How long requests for balances pause after a failure, in milliseconds. */
export const balanceRetryBlockMs = 30_000
