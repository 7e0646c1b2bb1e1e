/** Milliseconds a portfolio is good for. */
export const portfolioLifetimeMs = 30_000
/** Milliseconds without another try after a failure. */
export const balanceRetryBlockMs = 30_000
