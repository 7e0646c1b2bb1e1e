import type { accountAllowancesRoute, accountNftsRoute, ChainId } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { App } from '../app.ts'
import { callRoute } from './callRoute.ts'
import { dedupeRead } from './dedupeRead.ts'

/** The account, the network and the place of a page in its list. */
export type AccountPageParameters = {
  address: string
  chainId: ChainId
  /** The `next` of the page before. */
  cursor?: string | undefined
  signal?: AbortSignal | undefined
}

type ListRoute = typeof accountAllowancesRoute | typeof accountNftsRoute

/**
 * Reads a page of a list that the server has of an account. `isComplete`: whether the account's
 * whole history is indexed. Throws the errors of `callRoute`.
 */
export async function readAccountPage<Route extends ListRoute>(
  app: App,
  route: Route,
  { address, chainId, cursor, signal }: AccountPageParameters,
) {
  type Page = z.infer<Route['result']>
  const work = (): Promise<Page> =>
    callRoute(app, { route, params: { address }, query: { chainId, cursor } })
  const key = `${route.path} ${chainId}:${address} ${cursor ?? ''}`
  const page: Page = await dedupeRead(app, { key, work, signal })
  const data: Page['data'] = page.data
  return { data, next: page.next, isComplete: page.sync?.complete ?? true }
}
