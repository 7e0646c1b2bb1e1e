import type { Quota } from './quota.ts'

type StoredEntry = {
  readonly bytes: number
  readonly quotas: readonly Quota[]
  readonly slot: number
}

const slotMs = 60_000

/**
 * Counts the bytes of published messages towards the quotas of their publishers, until release,
 * expiry or `maxMs`.
 */
export function createStoredBytes({ maxMs = Number.POSITIVE_INFINITY, now }: StoredBytesOptions) {
  const entries = new Map<string, StoredEntry>()
  const slots = new Map<number, Set<string>>()

  function free(key: string): void {
    const found = entries.get(key)
    if (!found) return
    entries.delete(key)
    slots.get(found.slot)?.delete(key)
    for (const quota of found.quotas) quota.bytes -= found.bytes
  }
  return {
    add(key: string, bytes: number, quotas: readonly Quota[], expiresAtMs: number): void {
      if (quotas.length === 0) return
      free(key)
      const slot = Math.ceil(Math.min(expiresAtMs, now() + maxMs) / slotMs)
      entries.set(key, { bytes, quotas, slot })
      const keys = slots.get(slot)
      if (keys) keys.add(key)
      else slots.set(slot, new Set([key]))
      for (const quota of quotas) quota.bytes += bytes
    },
    /**
     * Releases a message after a client with the quota `by` received it. Does nothing if the
     * message counts towards that quota.
     */
    release(key: string, by: Quota): void {
      if (!entries.get(key)?.quotas.includes(by)) free(key)
    },
    sweep(): void {
      for (const [slot, keys] of slots) {
        if (slot * slotMs > now()) continue
        for (const key of keys) free(key)
        slots.delete(slot)
      }
    },
  }
}

type StoredBytesOptions = { readonly now: () => number; readonly maxMs?: number | undefined }
