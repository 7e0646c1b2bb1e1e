import { LatchkeyError } from '@latchkey/wire'

const minuteMs = 60_000
const maxPerMinute = 20

/**
 * Creates a function that counts a request of the page. It throws RATE_LIMITED from the 21st
 * request in a minute on, and if the page `isFull`.
 */
export function createThrottle(now: () => number): (isFull?: boolean) => void {
  let timesMs: number[] = []
  return (isFull = false) => {
    const nowMs = now()
    timesMs = timesMs.filter((at) => nowMs - at < minuteMs)
    const [first = nowMs] = timesMs
    const seconds = Math.max(1, Math.ceil((first + minuteMs - nowMs) / 1_000))
    if (timesMs.length >= maxPerMinute || isFull)
      throw new LatchkeyError('RATE_LIMITED', { data: { seconds } })
    timesMs.push(nowMs)
  }
}
