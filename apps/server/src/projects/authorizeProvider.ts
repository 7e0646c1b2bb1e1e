import { type Awaitable, whenReady } from '../awaitable.ts'
import type { Failure } from '../http/failure.ts'
import type { ProjectCheck } from './createProjectCheck.ts'

/**
 * The reason why a request may not name `providerId`, or undefined. Other servers let some projects
 * choose the node behind a call. Here it has no effect, but an id that is not a project is refused
 * like any unknown project.
 */
export function authorizeProvider(
  authorize: ProjectCheck,
  caller: Parameters<ProjectCheck>[0],
  providerId: string | undefined,
): Awaitable<Failure | undefined> {
  if (providerId === undefined) return undefined
  const checked = authorize({ ...caller, projectId: providerId })
  return whenReady(checked, (failure) => failure && { ...failure, field: 'providerId' })
}
