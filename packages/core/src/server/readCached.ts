import type * as z from 'zod/mini'
import type { App } from '../app.ts'
import { parse } from './parse.ts'
import { readOnce } from './readOnce.ts'
import { mayReplace, trimCache } from './trimCache.ts'

/** How long a name or an identity is valid, in milliseconds. */
const nameLifetimeMs = 5 * 60_000

/**
 * An answer about names that is at most 5 minutes old: the one kept in storage unless `forceUpdate`, else a new one, which
 * is kept.
 */
export async function readCached<Schema extends z.ZodMiniType>(
  app: App,
  parameters: {
    key: string
    schema: Schema
    work: () => Promise<z.infer<Schema>>
    forceUpdate?: boolean | undefined
    signal?: AbortSignal | undefined
  },
): Promise<z.infer<Schema>> {
  const { key, schema, work, forceUpdate, signal } = parameters
  const saved = app.storage.get('names')?.[key]
  const begunAtMs = app.environment.now()
  const ageMs = begunAtMs - (saved?.atMs ?? Number.NEGATIVE_INFINITY)
  const isFresh = !forceUpdate && ageMs >= 0 && ageMs < nameLifetimeMs
  const value = isFresh ? parse(schema, saved?.value) : undefined
  if (value !== undefined) return value
  return readOnce(app, {
    key: `${forceUpdate ? 'forced ' : ''}${key}`,
    signal,
    work: async () => {
      const answer = await work()
      const entries = app.storage.get('names') ?? {}
      if (mayReplace(entries[key], { begunAtMs, nowMs: app.environment.now() }))
        app.storage.set(
          'names',
          trimCache({ ...entries, [key]: { atMs: begunAtMs, value: answer } }),
        )
      return answer
    },
  })
}
