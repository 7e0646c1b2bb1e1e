import { isError, LatchkeyError } from '@latchkey/wire'

/** The wait that clients get in `Retry-After`. */
const retrySeconds = 2

/**
 * The error classes with which PostgreSQL reports that it currently cannot serve any request
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html): lost connections (08), no
 * read-write server (25006), too few resources or space (53), ended by its operator or by a timeout
 * (57), failures of its disk (58), or a lock that was not free in time (55P03).
 */
const transientCode = /^(08...|25006|25P03|53...|57...|58...|55P03)$/

/**
 * Turns an error into `DATABASE_UNAVAILABLE` if the database did not answer or currently cannot
 * serve. Returns other errors unchanged.
 */
export function toUnavailable(error: unknown): unknown {
  if (isError(error)) return error
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  // Errors from PostgreSQL have a severity. All others come from the connection to it.
  if (severity !== undefined && !transientCode.test(String(code))) return error
  return new LatchkeyError('DATABASE_UNAVAILABLE', {
    cause: error,
    data: { seconds: retrySeconds },
  })
}
