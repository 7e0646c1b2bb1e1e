/**
 * When a read that is not answered yet is asked of a second node as well, and how often that may
 * be.
 */
export type Hedge = {
  /** Milliseconds to wait first: what 95 of the last hundred answers took at most. */
  delayMs(): number
  noteMs(ms: number): void
  /** Each read earns a fraction of a hedged request. */
  earn(): void
  /** Whether a read may be sent to a second node now. */
  spend(): boolean
}

const maxTimes = 100
const minTimes = 20
const minMs = 20
/** The largest share of reads that are asked twice, and how many at once after a quiet time. */
const retryShare = 0.1
const maxTokens = 10

/** The hedge of one network. It waits `firstMs` until enough answers are known. */
export function createHedge(firstMs: number): Hedge {
  const times: number[] = []
  let tokens = maxTokens
  return {
    delayMs() {
      if (times.length < minTimes) return firstMs
      const sorted = times.toSorted((a, b) => a - b)
      return Math.max(minMs, sorted[Math.ceil(sorted.length * 0.95) - 1] ?? firstMs)
    },
    noteMs(ms) {
      times.push(ms)
      if (times.length > maxTimes) times.shift()
    },
    earn() {
      tokens = Math.min(maxTokens, tokens + retryShare)
    },
    spend() {
      if (tokens < 1) return false
      tokens--
      return true
    },
  }
}
