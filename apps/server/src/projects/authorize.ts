import type { Failure } from '../http/failure.ts'
import type { Services } from '../services.ts'
import { isOurHost } from './isOurHost.ts'
import { isLoopback, originAllowed } from './originAllowed.ts'
import { anyProject, findOrigins } from './projects.ts'

/** Who asks: the project id it names and what the browser says of the page (nothing outside browsers). */
export type Caller = {
  readonly projectId: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined
  /** `Host`: the name the server was asked by. */
  readonly host: string | undefined
  /** What an app of a phone calls itself, where a page has an origin. */
  readonly bundleId?: string | undefined
}

const cacheSeconds = 3

/**
 * Why a caller may not use the API, or undefined. Until a project exists any id is good from this machine and from our
 * own pages; afterwards unknown ids get 401 and foreign origins 403. Our own web app's id stays good on our own pages.
 * A page that has its own name point at this server (DNS rebinding) is neither: to its browser it is of one origin with us.
 */
export async function authorize(services: Services, caller: Caller): Promise<Failure | undefined> {
  const { projectId, origin } = caller
  if (!projectId) return missingProject
  const known = isOurHost(services.config, caller.host)
  const own = (known && caller.site === 'same-origin') || origin === services.config.publicUrl
  if (own && projectId === services.config.webProjectId) return undefined
  if (!(await cached(services, 'projects', () => anyProject(services.db))))
    return own || (known && origin === undefined) || isLoopback(origin ?? '') ? undefined : foreign
  if (projectId.length > 128) return unknown
  const origins = await cached(services, `project:${projectId}`, async () => {
    const found = await findOrigins(services.db, projectId)
    return found ?? null
  })
  if (origins === null) return unknown
  const name = origin ?? (caller.bundleId && `app://${caller.bundleId.toLowerCase()}`)
  return name === undefined || originAllowed(name, origins) ? undefined : foreign
}

/** Nothing can be told apart without a project. */
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

async function cached<Value>(
  { kv, log }: Services,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    const known = await kv.get(key)
    if (known !== undefined) return JSON.parse(known)
    const value = await read()
    await kv.set(key, JSON.stringify(value), cacheSeconds)
    return value
  } catch (error) {
    log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'project not cached')
    return read()
  }
}
