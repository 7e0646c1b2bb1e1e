/** What is currently wrong with a part of the server, as a public text; undefined if nothing is. */
type Trouble = () => string | undefined

/**
 * Finds out what `trouble` then says, if that needs a question to the database. Rejects if it
 * cannot.
 */
type Look = () => Promise<void>

/** The state of the server's parts. */
export type Health = {
  /** Adds a part under the name it has in `/ready`. */
  add(field: string, trouble: Trouble, look?: Look): void
  /** Has the parts look that need to. Never rejects. */
  look(): Promise<void>
  /** What is wrong now, by part. */
  troubles(): ReadonlyMap<string, string>
}

/** The health of one server, with no parts yet. */
export function createHealth(): Health {
  const parts = new Map<string, Trouble>()
  const looks = new Map<string, Look>()
  return {
    add(field, trouble, look) {
      parts.set(field, trouble)
      if (look) looks.set(field, look)
    },
    async look() {
      await Promise.allSettled([...looks.values()].map((look) => look()))
    },
    troubles() {
      const found = [...parts].map(([field, trouble]) => [field, trouble()] as const)
      return new Map(found.filter((entry): entry is readonly [string, string] => !!entry[1]))
    },
  }
}
