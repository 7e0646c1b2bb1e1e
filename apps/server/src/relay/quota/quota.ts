import { type Bucket, type Level, refill } from '../../kv/tokenBucket.ts'

/** The limits for all sockets of one client, one project or one address together on this relay. */
export type QuotaLimits = {
  readonly rate: Bucket
  readonly sockets: number
  /** The topics that its sockets subscribe to. */
  readonly subscriptions: number
  /**
   * The bytes of its published messages that no other client has received and that have not
   * expired.
   */
  readonly bytes: number
}

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
