/** The limits for all sockets of one client, one project or one address together on this relay. */
export type QuotaLimits = {
  readonly rate: Rate
  readonly sockets: number
  /** The topics that its sockets subscribe to. */
  readonly subscriptions: number
  /** The bytes of its published messages that no other client has received and that have not expired. */
  readonly bytes: number
}

/** The burst, and the tokens per second. */
export type Rate = { readonly capacity: number; readonly refillPerSecond: number }

/** The fill level of a token bucket. */
export type Level = { tokens: number; refilledAtMs: number }

/** The current usage of a quota. */
export type Quota = {
  readonly limits: QuotaLimits
  readonly level: Level
  sockets: number
  subscriptions: number
  bytes: number
}

/** The quotas of one kind by owner. A quota is dropped when it is unused. */
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
 * Takes `cost` tokens from every bucket, or none and returns false if one of them is empty. A bucket may go below zero, so
 * that a small bucket can pay any cost.
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
