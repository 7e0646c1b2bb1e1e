import type { ChainId } from '@latchkey/wire'
import { badRequest, HttpFailure } from '../http/failure.ts'

/**
 * Purchases of an account in the form of history entries, newest first; undefined if the provider
 * does not exist.
 */
export type ReadPurchases = (query: {
  readonly account: string
  readonly chainIds: readonly ChainId[]
  /** A provider's id, or `all`. */
  readonly provider: string
}) => Promise<readonly object[] | undefined>

/** The response to a request for purchases (`?onramp=`), which are all on one page. */
export async function answerPurchases(
  readPurchases: ReadPurchases,
  query: Parameters<ReadPurchases>[0],
): Promise<Response> {
  const data = await readPurchases(query)
  if (data !== undefined) return Response.json({ data, next: null })
  const name = query.provider.slice(0, 40)
  throw new HttpFailure(badRequest('provider', `Provider ${name} is not supported`))
}
