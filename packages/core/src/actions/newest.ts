/** Entries that a cache keeps. */
const cacheEntries = 20

/** The newest entries of a cache, so that storage does not fill up. */
export const newest = <Entry extends { atMs: number }>(
  entries: Record<string, Entry>,
): Record<string, Entry> =>
  Object.fromEntries(
    Object.entries(entries)
      .sort(([, one], [, other]) => other.atMs - one.atMs)
      .slice(0, cacheEntries),
  )
