/** What all sockets of one client, one project or one address may use together on this relay. */
export type QuotaLimits = {
  readonly rate: Rate
  readonly sockets: number
  /** Topics that its sockets hear. */
  readonly subscriptions: number
  /** Bytes of its published messages that no other client has received and that have not expired. */
  readonly bytes: number
}

/** The burst, and the tokens per second. */
export type Rate = { readonly capacity: number; readonly refillPerSecond: number }

/** How full a bucket of tokens is. */
export type Level = { tokens: number; refilledAtMs: number }

/** What is in use of a quota. */
export type Quota = {
  readonly limits: QuotaLimits
  readonly level: Level
  sockets: number
  subscriptions: number
  bytes: number
}

/** The quotas of one kind, by whom they belong to. They are forgotten when nothing is in use any more. */
export function createQuotas(parameters: {
  readonly now: () => number
  readonly limits: QuotaLimits
}) {
  const { now, limits } = parameters
  const quotas = new Map<string, Quota>()
  return {
    get(key: string): Quota {
      const known = quotas.get(key)
      if (known) return known
      const level = { tokens: limits.rate.capacity, refilledAtMs: now() }
      const quota = { limits, level, sockets: 0, subscriptions: 0, bytes: 0 }
      quotas.set(key, quota)
      return quota
    },
    sweep(): void {
      for (const [key, quota] of quotas) {
        refill(quota.level, limits.rate, now())
        const isFull = quota.level.tokens >= limits.rate.capacity
        if (isFull && quota.sockets === 0 && quota.bytes === 0) quotas.delete(key)
      }
    },
    size: () => quotas.size,
  }
}

/**
 * Takes `cost` tokens of each, or none of any: false when one is empty. What it does not hold it owes, so that no cost is
 * beyond a small bucket.
 */
export function takeTokens(
  levels: readonly { readonly level: Level; readonly rate: Rate }[],
  nowMs: number,
  cost = 1,
): boolean {
  for (const { level, rate } of levels) refill(level, rate, nowMs)
  for (const { level } of levels) if (level.tokens < 1) return false
  for (const { level } of levels) level.tokens -= cost
  return true
}

function refill(level: Level, { capacity, refillPerSecond }: Rate, nowMs: number): void {
  const seconds = Math.max(0, nowMs - level.refilledAtMs) / 1000
  level.refilledAtMs = nowMs
  level.tokens = Math.min(capacity, level.tokens + seconds * refillPerSecond)
}
