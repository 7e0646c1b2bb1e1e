/** What is currently wrong with a part of the server, as a public text; undefined if nothing is. */
type Trouble = () => string | undefined

/** The state of the server's parts. */
export type Health = {
  /** Adds a part under the name it has in `/ready`. */
  add(field: string, trouble: Trouble): void
  /** What is wrong now, by part. */
  troubles(): ReadonlyMap<string, string>
}

/** The health of one server, with no parts yet. */
export function createHealth(): Health {
  const parts = new Map<string, Trouble>()
  return {
    add: (field, trouble) => void parts.set(field, trouble),
    troubles() {
      const found = [...parts].map(([field, trouble]) => [field, trouble()] as const)
      return new Map(found.filter((entry): entry is readonly [string, string] => !!entry[1]))
    },
  }
}
