/** How long a portfolio is valid, in milliseconds. */
export const portfolioLifetimeMs = 30_000
/** Milliseconds without another try after a failure. */
export const balanceRetryBlockMs = 30_000
