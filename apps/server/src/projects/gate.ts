import type { Awaitable } from '../awaitable.ts'
import type { Failure } from '../http/failure.ts'
import type { RelayServices } from '../services.ts'
import { authorize, type Caller, missingProject } from './authorize.ts'

/** Returns why a caller is refused, or undefined if it is allowed. */
export type Gate = (caller: Caller) => Awaitable<Failure | undefined>

/**
 * The gate of a server: by its projects or, without a database, open to every caller that names a
 * project.
 */
export function createGate({ config, projects }: Pick<RelayServices, 'config' | 'projects'>): Gate {
  if (projects === undefined) return ({ projectId }) => (projectId ? undefined : missingProject)
  return (caller) => authorize({ config, projects }, caller)
}
