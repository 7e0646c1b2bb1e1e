import type { Origin } from '../http/clientAddress.ts'
import type { Failure } from '../http/failure.ts'
import { takeTurn } from '../http/limitRate.ts'
import type { Services } from '../services.ts'
import { maxBatch } from './answerRpc.ts'
import type { RpcBody } from './parseCalls.ts'

type Asked = {
  readonly route: string
  readonly from: Origin
  readonly body: RpcBody | undefined
}

/** Takes what a body of many calls costs beyond the turn of its request, or says when to come back: each call counts. */
export async function takeCalls(
  services: Pick<Services, 'kv' | 'config' | 'log'>,
  { route, from, body }: Asked,
): Promise<Failure | undefined> {
  // Of a body with more calls none is made.
  const more = Math.min(body?.calls.length ?? 0, maxBatch) - 1
  return more > 0 ? takeTurn(services, route, from, more) : undefined
}
