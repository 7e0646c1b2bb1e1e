/** Entries that a cache keeps. */
const cacheEntries = 20

/** The newest entries of a cache, so that storage does not fill up. */
export const trimCache = <Entry extends { atMs: number }>(
  entries: Record<string, Entry>,
): Record<string, Entry> =>
  Object.fromEntries(
    Object.entries(entries)
      .sort(([, one], [, other]) => other.atMs - one.atMs)
      .slice(0, cacheEntries),
  )

/**
 * Whether a read that began at `begunAtMs` may replace the cached entry: not an entry from a later read. An entry from the future
 * was written under a clock that went wrong.
 */
export const mayReplace = (
  entry: { atMs: number } | undefined,
  { begunAtMs, nowMs }: { begunAtMs: number; nowMs: number },
): boolean => entry === undefined || entry.atMs <= begunAtMs || entry.atMs > nowMs
