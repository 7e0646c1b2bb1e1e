/**
 * Returns a public message about the current problem of a part of the server; undefined if it
 * works.
 */
type Trouble = () => string | undefined

/**
 * Updates the state behind `trouble`, if that needs a database query. Rejects if the query fails.
 */
type Look = () => Promise<void>

/** The state of the server's parts. */
export type Health = {
  /** Adds a part under the name it has in `/ready`. */
  add(field: string, trouble: Trouble, look?: Look): void
  /** Updates the state of all parts that need it. Never rejects. */
  look(): Promise<void>
  /** The current problems, by part. */
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
