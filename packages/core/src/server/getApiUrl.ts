import { version } from '../../../../package.json'
import type { App } from '../app.ts'

/** How our client identifies itself to the server, in the parameters `st` and `sv`. */
export const sdkType = 'latchkey'
export const sdkVersion = `react-${version}`

/** The part of an app's config that is needed to call the server. */
export type ServerConfig = { readonly config: Pick<App['config'], 'apiUrl' | 'projectId'> }

/**
 * A URL of the server with the parameters that every call carries. Omits parameters that are
 * undefined.
 */
export function getApiUrl(
  app: ServerConfig,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const search = new URLSearchParams({
    projectId: app.config.projectId,
    st: sdkType,
    sv: sdkVersion,
  })
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, value)
  return `${app.config.apiUrl}${path}?${search}`
}
