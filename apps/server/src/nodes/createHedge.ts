/** Decides when an unanswered read is also sent to a second node, and how often that may happen. */
export type Hedge = {
  /** How long to wait first: the time within which 95 of the last hundred responses arrived. */
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
/** The largest share of reads that are sent twice, and the most at once after a quiet time. */
const retryShare = 0.1
const maxTokens = 10

/** The hedge of one network. It waits `firstMs` until enough responses have been timed. */
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
