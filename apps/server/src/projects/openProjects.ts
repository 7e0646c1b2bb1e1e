import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type Awaitable, whenReady } from '../awaitable.ts'
import type { Database } from '../db/database.ts'
import { getErrorMessage } from '../getErrorMessage.ts'
import { type ProjectFacts, readProjectFacts } from './projects.ts'

/** A recent copy of the projects, for the checks of every request. */
export type Projects = {
  /**
   * The allowed origins of each project by its id: at once if the copy is recent. Reads them again
   * if `wanted` may have been added just now. Rejects with `DATABASE_UNAVAILABLE`.
   */
  read(projectId?: string): Awaitable<ProjectFacts['origins']>
  /** Whether the pages that this project lists may pass on codes, from the same copy. */
  isHost(projectId: string): Awaitable<boolean>
}

type Copy = ProjectFacts & { readonly readAtMs: number }

/**
 * How long the copy counts as recent. Together with the wait below, decisions are based on data at
 * most 3 s old while the database answers.
 */
const freshMs = 2_000
/** A request for an unknown project reads the copy again, but at most this often. */
const missMs = 250
/** How long to wait for a newer copy before using the current one. */
const waitMs = 400
/** How long not to query a database that has just failed. */
const retryMs = 250
/** How old the copy may be while the database does not answer. */
const maxAgeMs = 600_000

/**
 * One copy of all projects, which is read again on demand when it is older than two seconds. While
 * the database does not answer, a copy of up to ten minutes is used.
 */
export function openProjects({
  db,
  log,
  now = () => performance.now(),
}: {
  readonly db: Kysely<Database>
  readonly log: Logger
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number
}): Projects {
  let copy: Copy | undefined
  let reading: { readonly done: Promise<Copy>; readonly timeout: Promise<unknown> } | undefined

  const read = () => {
    if (reading) return reading
    const startedAtMs = now()
    const done = readProjectFacts(db).then((facts) => {
      copy = { ...facts, readAtMs: startedAtMs }
      return copy
    })
    const settle = () => {
      reading = undefined
    }
    reading = { done, timeout: pause(waitMs) }
    done.then(settle, (error: unknown) => {
      // Until then every request uses the copy at once.
      setTimeout(settle, retryMs).unref()
      const reason = getErrorMessage(error)
      log.warn({ reason }, 'projects could not be read')
    })
    return reading
  }

  const readNewer = async (known: Copy | undefined) => {
    const { done, timeout } = read()
    const usable = known && now() - known.readAtMs < maxAgeMs ? known : undefined
    if (usable === undefined) return done
    const newest = await Promise.race([done.catch(() => undefined), timeout.then(() => undefined)])
    return newest ?? usable
  }
  const readCopy = (projectId: string | undefined): Awaitable<Copy> => {
    const newEnoughMs = projectId === undefined || copy?.origins.has(projectId) ? freshMs : missMs
    return copy && now() - copy.readAtMs < newEnoughMs ? copy : readNewer(copy)
  }
  return {
    read: (projectId) => whenReady(readCopy(projectId), ({ origins }) => origins),
    isHost: (projectId) => whenReady(readCopy(projectId), ({ hosts }) => hosts.has(projectId)),
  }
}
