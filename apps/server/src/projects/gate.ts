import type { Failure } from '../http/failure.ts'
import type { RelayServices } from '../services.ts'
import { authorize, type Caller, missingProject } from './authorize.ts'

/** Says why a caller may not come in, or nothing when he may. */
export type Gate = (caller: Caller) => Promise<Failure | undefined>

/** The gate of a server: by its projects, or, without a database, open to whoever names any project. */
export function createGate({ config, projects }: Pick<RelayServices, 'config' | 'projects'>): Gate {
  if (projects === undefined)
    return async ({ projectId }) => (projectId ? undefined : missingProject)
  return (caller) => authorize({ config, projects }, caller)
}
