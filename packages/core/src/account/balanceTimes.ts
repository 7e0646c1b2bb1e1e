/** Milliseconds a portfolio is good for (spec §9). */
export const portfolioLifetimeMs = 30_000
/** Milliseconds without another try after a failure (spec §9). */
export const balanceRetryBlockMs = 30_000
