import type { Failure } from '../http/failure.ts'
import type { Gate } from './gate.ts'

/**
 * Why a request may not name `providerId`, or undefined. Peers let only some projects choose the node behind a call; here it
 * chooses nothing, but one that is no project is refused as any unknown project is.
 */
export async function authorizeProvider(
  authorize: Gate,
  caller: Parameters<Gate>[0],
  providerId: string | undefined,
): Promise<Failure | undefined> {
  if (providerId === undefined) return undefined
  const failure = await authorize({ ...caller, projectId: providerId })
  return failure && { ...failure, field: 'providerId' }
}
