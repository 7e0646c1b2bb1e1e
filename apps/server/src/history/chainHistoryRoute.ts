import { accountHistoryRoute, type ChainId } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import type { output } from 'zod/v4/core'
import { HttpFailure } from '../http/failure.ts'
import { findChain } from '../http/findChain.ts'
import { parseQuery } from '../http/request/parse.ts'
import type { Services } from '../services.ts'
import { activityArea } from './activityArea.ts'
import { activityOff } from './historyFailures.ts'

/** A request for the history of an address on one chain. */
export type ChainHistoryQuery = output<typeof accountHistoryRoute.query> & {
  readonly chainId: ChainId
  readonly address: string
}

/**
 * `GET /v1/account/{address}/history` for the chains that `matches` selects. Other chains are
 * handled by the next route.
 */
export const chainHistoryRoute = (
  { config }: Pick<Services, 'config'>,
  {
    matches,
    answer,
  }: {
    readonly matches: (chainId: ChainId) => boolean
    readonly answer: (c: Context, query: ChainHistoryQuery) => Promise<Response>
  },
): Hono =>
  new Hono().get(accountHistoryRoute.path, async (c, next) => {
    const chain = findChain(config, c.req.query('chainId'))
    if (!chain || !matches(chain.chainId)) return next()
    const { chainId } = chain
    const query = parseQuery(c, accountHistoryRoute.query)
    if (!activityArea(config, chainId).on) throw new HttpFailure(activityOff(chainId))
    return answer(c, { ...query, chainId, address: c.req.param('address') ?? '' })
  })
