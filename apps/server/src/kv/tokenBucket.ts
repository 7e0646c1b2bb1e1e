/**
 * The limits of a token bucket: at most `capacity` tokens, `refillPerSecond` of which come back
 * each second.
 */
export type Bucket = { readonly capacity: number; readonly refillPerSecond: number }

/** The fill level of a token bucket. */
export type Level = { tokens: number; refilledAtMs: number }

type BucketLevel = { readonly level: Level; readonly rate: Bucket }

/**
 * Takes `cost` tokens from every bucket, or returns false and takes nothing if any bucket is empty.
 * A bucket may go below zero, so that a small bucket can pay any cost.
 */
export function takeTokens(levels: readonly BucketLevel[], nowMs: number, cost = 1): boolean {
  for (const { level, rate } of levels) refill(level, rate, nowMs)
  for (const { level } of levels) if (level.tokens < 1) return false
  for (const { level } of levels) level.tokens -= cost
  return true
}

/** Like {@link takeTokens}, for a single bucket. */
export function takeFromBucket(level: Level, rate: Bucket, nowMs: number, cost = 1): boolean {
  refill(level, rate, nowMs)
  if (level.tokens < 1) return false
  level.tokens -= cost
  return true
}

/** Adds the tokens that have come back since the last call. */
export function refill(level: Level, { capacity, refillPerSecond }: Bucket, nowMs: number): void {
  const seconds = Math.max(0, nowMs - level.refilledAtMs) / 1000
  level.refilledAtMs = nowMs
  level.tokens = Math.min(capacity, level.tokens + seconds * refillPerSecond)
}
