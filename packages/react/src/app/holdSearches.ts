/** Searches for wallets whose code a page loads only when something lists wallets. */
export type HeldSearches = {
  /** Holds a search back; it runs at once if searches have started. */
  whenWanted(search: () => Promise<void>): void
  /** Runs the searches; resolves when each has looked once. */
  start(): Promise<unknown>
}

export function holdSearches(): HeldSearches {
  const held: (() => Promise<void>)[] = []
  let started: Promise<unknown> | undefined
  return {
    whenWanted(search) {
      if (started) void search()
      else held.push(search)
    },
    start() {
      started ??= Promise.all(held.map((search) => search()))
      return started
    },
  }
}
