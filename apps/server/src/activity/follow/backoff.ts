const firstPauseMs = 500
const longestPauseMs = 30_000

/**
 * Pauses after failures, in milliseconds: each twice as long as the previous pause, up to half a
 * minute. Call `reset` after a success.
 */
export function createBackoff() {
  let nextMs = firstPauseMs
  return {
    next() {
      const pauseMs = nextMs
      nextMs = Math.min(longestPauseMs, nextMs * 2)
      return pauseMs
    },
    reset() {
      nextMs = firstPauseMs
    },
  }
}
