import { LatchkeyError, type Route } from '@latchkey/wire'
import type * as z from 'zod/mini'

/**
 * Sends one call to the vault with the session's proof and resolves to its JSON. Rejects with a
 * LatchkeyError.
 */
export type VaultCall = (path: string, body: unknown) => Promise<unknown>

type Body<R extends Route> = R['body'] extends z.ZodMiniType ? z.input<R['body']> : undefined

/** Calls a route and parses its answer. Throws `ANSWER_INVALID`, and the errors of `call`. */
export async function callVault<R extends Route>(
  call: VaultCall,
  route: R,
  body: Body<R>,
): Promise<z.output<R['result']>> {
  const parsed = (route.result as R['result']).safeParse(await call(route.path, body))
  if (!parsed.success) throw new LatchkeyError('ANSWER_INVALID', { cause: parsed.error })
  return parsed.data as z.output<R['result']>
}
