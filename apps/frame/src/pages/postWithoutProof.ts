import { LatchkeyError, type Route } from '@latchkey/wire'
import * as z from 'zod/mini'
import { readResponse } from '../auth/dpopFetch.ts'
import type { RouteBody } from '../auth/loginSession.ts'

const timeoutMs = 30_000

/**
 * Calls a route that needs no proof, because links in emails open in any browser. Throws the
 * server's errors.
 */
export async function postWithoutProof<R extends Route>(
  route: R,
  body: RouteBody<R>,
  { credentials = 'omit' }: { readonly credentials?: RequestCredentials } = {},
): Promise<z.output<R['result']>> {
  let response: Response
  try {
    response = await fetch(route.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (cause) {
    throw new LatchkeyError('OFFLINE', { cause })
  }
  const parsed = z.safeParse(route.result as R['result'], await readResponse(response))
  if (!parsed.success) throw new LatchkeyError('ANSWER_INVALID', { cause: parsed.error })
  return parsed.data as z.output<R['result']>
}
