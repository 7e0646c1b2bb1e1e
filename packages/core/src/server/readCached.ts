import type * as z from 'zod/mini'
import type { App } from '../app.ts'
import { dedupeRead } from './dedupeRead.ts'
import { parse } from './parse.ts'
import { getSavedResponse, saveResponse } from './savedResponses.ts'

/** How long a name or an identity is valid. */
const nameLifetimeMs = 5 * 60_000

/**
 * A response about names that is at most 5 minutes old: the stored response unless `forceUpdate`,
 * else a new response, which is stored.
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
  const place = { cache: 'names', id: key } as const
  const saved = forceUpdate
    ? undefined
    : getSavedResponse(app, { ...place, lifetimeMs: nameLifetimeMs })
  const value = saved && parse(schema, saved.value)
  if (value !== undefined) return value
  return dedupeRead(app, {
    key: `${forceUpdate ? 'forced ' : ''}${key}`,
    signal,
    work: async () => {
      const atMs = app.environment.now()
      const answer = await work()
      saveResponse(app, { ...place, answer: { atMs, value: answer } })
      return answer
    },
  })
}
