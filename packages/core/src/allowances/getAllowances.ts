import { type Allowance, accountAllowancesRoute, type ChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { dedupeRead } from '../server/dedupeRead.ts'
import { serverImageUrl } from '../server/imageUrl.ts'

/**
 * A page of the allowances that an account has granted. `isComplete`: whether the account's whole
 * history is indexed.
 */
export type AllowancePage = {
  allowances: readonly Allowance[]
  next: string | null
  isComplete: boolean
}

/**
 * The allowances of an account on a network, most recently changed first, from a cursor. Throws the
 * errors of `callRoute`.
 */
export async function getAllowances(
  app: App,
  parameters: {
    address: string
    chainId: ChainId
    cursor?: string | undefined
    signal?: AbortSignal | undefined
  },
): Promise<AllowancePage> {
  const { address, chainId, cursor, signal } = parameters
  const work = () =>
    callRoute(app, {
      route: accountAllowancesRoute,
      params: { address },
      query: { chainId, cursor },
    })
  const key = `allowances ${chainId}:${address} ${cursor ?? ''}`
  const { data, next, sync } = await dedupeRead(app, { key, work, signal })
  return {
    allowances: data.map((one) => ({
      ...one,
      token: { ...one.token, iconUrl: serverImageUrl(app, one.token.iconUrl) ?? null },
    })),
    next,
    isComplete: sync?.complete ?? true,
  }
}
