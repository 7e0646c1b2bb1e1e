import type { Awaitable } from '../awaitable.ts'
import type { Failure } from '../http/failure.ts'
import type { RelayServices } from '../services.ts'
import { authorize, type Caller, missingProject } from './authorize.ts'

/** Returns why a caller is refused, or undefined if it is allowed. */
export type ProjectCheck = (caller: Caller) => Awaitable<Failure | undefined>

/**
 * Creates the check of a server. Without a database there are no projects to look up, so every
 * caller that names a project is allowed.
 */
export function createProjectCheck({
  config,
  projects,
}: Pick<RelayServices, 'config' | 'projects'>): ProjectCheck {
  if (projects === undefined) return ({ projectId }) => (projectId ? undefined : missingProject)
  return (caller) => authorize({ config, projects }, caller)
}
