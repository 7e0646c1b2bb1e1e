import type { Origin } from '../http/clientAddress.ts'
import type { Failure } from '../http/failure.ts'
import { takeTurn } from '../http/limitRate.ts'
import type { Services } from '../services.ts'
import { maxBatch } from './answerRpc.ts'
import type { RpcBody } from './parseCalls.ts'

type Parameters = {
  readonly route: string
  readonly from: Origin
  readonly body: RpcBody | undefined
}

/**
 * Counts each call of a batch towards the rate limit. The request itself has already paid for the
 * first. Returns a failure if the limit is exceeded.
 */
export async function takeCalls(
  services: Pick<Services, 'kv' | 'config' | 'log'>,
  { route, from, body }: Parameters,
): Promise<Failure | undefined> {
  // A larger batch is refused as a whole.
  const more = Math.min(body?.calls.length ?? 0, maxBatch) - 1
  return more > 0 ? takeTurn(services, route, from, more) : undefined
}
