import { isError, LatchkeyError } from '@latchkey/wire'

/** When it is worth asking again. */
const retrySeconds = 2

/**
 * What PostgreSQL says when it cannot do a thing now, whatever is asked
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html): lost connections (08), no read-write server (25006),
 * too few resources or space (53), ended by its operator or by a timeout (57), failures of its disk (58), or a lock that was
 * not free in time (55P03).
 */
const transientCode = /^(08...|25006|25P03|53...|57...|58...|55P03)$/

/** `DATABASE_UNAVAILABLE` where the database did not answer or cannot do a thing now; any other error as it is. */
export function toUnavailable(error: unknown): unknown {
  if (isError(error)) return error
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  // What PostgreSQL says has a severity; all else is the connection to it.
  if (severity !== undefined && !transientCode.test(String(code))) return error
  return new LatchkeyError('DATABASE_UNAVAILABLE', {
    cause: error,
    data: { seconds: retrySeconds },
  })
}
