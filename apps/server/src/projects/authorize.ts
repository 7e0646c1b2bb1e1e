import { type Awaitable, whenReady } from '../awaitable.ts'
import type { Failure } from '../http/failure.ts'
import type { Services } from '../services.ts'
import { isOwnHost } from './isOwnHost.ts'
import { isLoopbackOrigin, originAllowed } from './originAllowed.ts'

/**
 * The caller: the project id it names and what the browser reports about the page (nothing outside
 * browsers).
 */
export type Caller = {
  readonly projectId: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined
  /** `Host`: the name by which the request addressed the server. */
  readonly host: string | undefined
  /** The name of a phone app, in place of the origin of a page. */
  readonly bundleId?: string | undefined
}

/**
 * The reason why a caller may not use the API, or undefined. Until a project exists, any id is
 * accepted from this machine and from our own pages. Afterwards unknown ids get 401 and foreign
 * origins 403. The id of our web app stays valid on our pages. A page with its own name
 * that points at this server (DNS rebinding) counts as neither, although its browser regards it as
 * same-origin. Throws `DATABASE_UNAVAILABLE` if the projects are unknown.
 */
export function authorize(
  { config, projects }: Pick<Services, 'config' | 'projects'>,
  caller: Caller,
): Awaitable<Failure | undefined> {
  const { projectId, origin } = caller
  if (!projectId) return missingProject
  const isOurs = isOwnHost(config, caller.host)
  const own = (isOurs && caller.site === 'same-origin') || origin === config.publicUrl
  if (own && projectId === config.webProjectId) return undefined
  return whenReady(projects.read(projectId), (known) => {
    if (known.size === 0)
      return own || (isOurs && origin === undefined) || isLoopbackOrigin(origin ?? '')
        ? undefined
        : foreign
    const origins = known.get(projectId)
    if (origins === undefined) return unknown
    const name = origin ?? (caller.bundleId && `app://${caller.bundleId.toLowerCase()}`)
    return name === undefined || originAllowed(name, origins) ? undefined : foreign
  })
}

/** Requests without a project id. */
export const missingProject: Failure = {
  status: 400,
  field: 'projectId',
  description: 'projectId is missing',
}
const unknown: Failure = {
  status: 401,
  field: 'authentication',
  description: 'We failed to authenticate your request',
}
const foreign: Failure = {
  status: 403,
  field: 'origin',
  description: 'Unauthorized: origin not allowed',
}
