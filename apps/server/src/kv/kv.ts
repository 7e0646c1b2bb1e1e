import type { Awaitable } from '../awaitable.ts'
import type { Bucket } from './tokenBucket.ts'

/** Whether the bucket had a token. If not, `retryAfterSeconds` is the time until it has one. */
export type Take = { readonly allowed: boolean; readonly retryAfterSeconds: number }

/** A key that may be open at most `most` times at once. */
export type SlotKey = { readonly key: string; readonly most: number }

/**
 * Short-lived shared state: caches and limits. In this process by default, in Redis for several
 * processes.
 */
export type Kv = {
  /** Synchronous if the store is in this process. */
  get(key: string): Awaitable<string | undefined>
  /** The values in the order of the keys. */
  getMany(keys: readonly string[]): Promise<(string | undefined)[]>
  /** Stores `value` for `ttlSeconds` (fractions allowed). */
  set(key: string, value: string, ttlSeconds: number): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Takes `cost` tokens (default 1) from the bucket `key`, atomically, if it holds at least one.
   * The bucket may go below zero, so that a small bucket can pay any cost. Synchronous if the store
   * is in this process.
   */
  take(key: string, bucket: Bucket, cost?: number): Awaitable<Take>
  /**
   * Counts one more open thing, such as a socket, at all of `places`. If a place is full, counts
   * nothing and returns its key. The counts of all processes are added up. The counts of a killed
   * process end within 20 s.
   */
  enter(places: readonly SlotKey[]): Awaitable<string | undefined>
  /** Undoes `enter` at these keys. */
  leave(keys: readonly string[]): void
  /** Resolves when the store answers, rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}
