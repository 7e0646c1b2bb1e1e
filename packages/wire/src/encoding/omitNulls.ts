/** Maximum number of levels. All known requests have fewer. */
const maxLevels = 8

/**
 * The parameters of a request without the properties that are null: clients write `null` for an
 * optional field that they leave out, at any level. Entries of lists stay, because their places
 * have a meaning.
 */
export function omitNulls(value: unknown, levels = maxLevels): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.map((one: unknown) => omitNulls(one, levels - 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([name, one]) => [name, omitNulls(one, levels - 1)]),
  )
}
