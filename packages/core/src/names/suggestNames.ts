import { nameSuggestionsRoute, nameZonesRoute } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { readCached } from '../server/readCached.ts'

export type Suggestions = {
  /** The zone of new names, for example `latchkey.id`. */
  zone: string
  /** The typed name comes first; the others are available. Empty while the input is empty. */
  names: { name: string; registered: boolean }[]
}

/**
 * The zone of new names, and the names available for a typed label. Throws the errors of
 * `callRoute`.
 */
export async function suggestNames(
  app: App,
  { label, signal }: { label: string; signal?: AbortSignal | undefined },
): Promise<Suggestions> {
  const { zones } = await readCached(app, {
    key: 'name zones',
    schema: nameZonesRoute.result,
    signal,
    work: () => callRoute(app, { route: nameZonesRoute }),
  })
  const [zone = ''] = zones
  if (label === '') return { zone, names: [] }
  const params = { name: label }
  const options = { route: nameSuggestionsRoute, params, query: { zone }, signal }
  const { suggestions } = await callRoute(app, options)
  // A server decides which names are available, but must not return names of another zone.
  const names = suggestions.filter(({ name }) => isLabelOf(name, zone))
  return { zone, names: names[0]?.name === `${label}.${zone}` ? names : [] }
}

const isLabelOf = (name: string, zone: string) =>
  /^[a-z0-9-]+$/.test(name.slice(0, -zone.length - 1)) && name.endsWith(`.${zone}`)
