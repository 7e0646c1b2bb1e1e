import { LatchkeyError, type Route } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { App } from '../app.ts'
import { fetchJson, type ServerRequest } from './fetchJson.ts'
import { parse } from './parse.ts'

/**
 * Calls a route of the server and parses its response. Errors: ANSWER_INVALID, and those from
 * {@link fetchJson}.
 */
export async function callRoute<ApiRoute extends Route>(
  app: App,
  { route, ...parameters }: { route: ApiRoute } & Omit<ServerRequest, 'method' | 'path'>,
): Promise<z.infer<ApiRoute['result']>> {
  const { method, path } = route
  const result = parse(route.result, await fetchJson(app, { method, path, ...parameters }))
  if (result === undefined) throw new LatchkeyError('ANSWER_INVALID')
  return result as z.infer<ApiRoute['result']>
}
