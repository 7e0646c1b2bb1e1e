/** How fast a bucket empties and fills: `capacity` tokens at most, `refillPerSecond` come back. */
export type Bucket = { readonly capacity: number; readonly refillPerSecond: number }

/** Whether a token was there, and if not, in how many seconds one will be. */
export type Take = { readonly allowed: boolean; readonly retryAfterSeconds: number }

/** Short-lived shared state: caches and limits. In this process by default, in Redis for several processes. */
export type Kv = {
  get(key: string): Promise<string | undefined>
  /** Keeps `value` for `ttlSeconds` (fractions allowed). */
  set(key: string, value: string, ttlSeconds: number): Promise<void>
  delete(key: string): Promise<void>
  /** Takes one token from the bucket called `key`, atomically. */
  take(key: string, bucket: Bucket): Promise<Take>
  /** Resolves when the store answers, rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}
