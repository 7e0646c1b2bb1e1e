/** How fast a bucket empties and fills: `capacity` tokens at most, `refillPerSecond` come back. */
export type Bucket = { readonly capacity: number; readonly refillPerSecond: number }

/** Whether a token was there, and if not, in how many seconds one will be. */
export type Take = { readonly allowed: boolean; readonly retryAfterSeconds: number }

/** Short-lived shared state: caches and limits. In this process by default, in Redis for several processes. */
export type Kv = {
  get(key: string): Promise<string | undefined>
  /** In the order of the keys. */
  getMany(keys: readonly string[]): Promise<(string | undefined)[]>
  /** Keeps `value` for `ttlSeconds` (fractions allowed). */
  set(key: string, value: string, ttlSeconds: number): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Takes `cost` tokens (1) from the bucket called `key`, atomically, where there is one at least. What it does not hold it
   * owes, so that no cost is beyond a small bucket.
   */
  take(key: string, bucket: Bucket, cost?: number): Promise<Take>
  /** Resolves when the store answers, rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}
