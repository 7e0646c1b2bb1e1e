/**
 * Coalesces values that arrive in the same task and delivers the last, so that a wallet that floods
 * the page causes a single update. Errors of `deliver` are dropped, and the earlier value stays.
 */
export function coalesce(deliver: (value: unknown) => void): {
  receive: (value: unknown) => void
  stop: () => void
} {
  let latest: unknown
  let isWaiting = false
  let hasEnded = false
  const pass = () => {
    isWaiting = false
    if (hasEnded) return
    try {
      deliver(latest)
    } catch {}
  }
  return {
    receive(value) {
      latest = value
      if (!isWaiting) queueMicrotask(pass)
      isWaiting = true
    },
    stop() {
      hasEnded = true
    },
  }
}
