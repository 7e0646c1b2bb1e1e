import { useEffect, useState } from 'react'

/** The result of {@link formatTimeLeft}, updated every second. */
export function useTimeLeft(expirySeconds: number): string | undefined {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return formatTimeLeft(expirySeconds, nowMs)
}

/**
 * Formats the time left in the largest suitable unit: `4:05`, `3 h`, `7 days`. Undefined if it has
 * expired by this device's clock, which may be wrong.
 */
function formatTimeLeft(expirySeconds: number, nowMs: number): string | undefined {
  const seconds = Math.floor(expirySeconds - nowMs / 1_000)
  if (seconds <= 0) return undefined
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
