import { accountHistoryRoute, type ChainId, type Namespace, parseChainId } from '@latchkey/wire'
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

/** Answers a request for the history of an address on a chain of one namespace. */
export type AnswerChainHistory = (c: Context, query: ChainHistoryQuery) => Promise<Response>

/** Histories of namespaces whose nodes list the transactions of an account. */
type ChainHistories = { readonly [Name in Exclude<Namespace, 'eip155'>]?: AnswerChainHistory }

/**
 * `GET /v1/account/{address}/history`. `eip155` answers for one EVM chain, or for all of them if
 * the request names no chain. It refuses the chains of a namespace that has no entry here.
 */
export function historyRoutes(
  { config }: Pick<Services, 'config'>,
  {
    eip155: answerEvm,
    ...others
  }: ChainHistories & {
    readonly eip155: (c: Context) => Promise<Response>
  },
): Hono {
  const histories: { readonly [Name in Namespace]?: AnswerChainHistory } = others
  return new Hono().get(accountHistoryRoute.path, async (c) => {
    const chainId = findChain(config, c.req.query('chainId'))?.chainId
    const answer = chainId && histories[parseChainId(chainId).namespace]
    if (!answer) return answerEvm(c)
    const query = parseQuery(c, accountHistoryRoute.query)
    if (!activityArea(config, chainId).on) throw new HttpFailure(activityOff(chainId))
    return answer(c, { ...query, chainId, address: c.req.param('address') ?? '' })
  })
}
