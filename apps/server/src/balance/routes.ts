import {
  accountBalanceRoute,
  accountPortfolioRoute,
  type Balance,
  type ChainId,
  isError,
  type Namespace,
  parseChainId,
} from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import type { Asker } from '../activity/activity.ts'
import { askedBy, getAsker } from '../activity/asker.ts'
import { whenReady } from '../awaitable.ts'
import { nativeAddress } from '../evm/address.ts'
import { isEvmChain } from '../evm/chain.ts'
import { type Failure, orUnavailable } from '../http/failure.ts'
import { getClientOrigin } from '../http/limitRate.ts'
import { parseQuery } from '../http/request/parse.ts'
import type { ResponseCache } from '../http/responseCache.ts'
import { addPriceChanges } from '../prices/change/addPriceChanges.ts'
import type { ReadPrices } from '../prices/openPrices.ts'
import type { Services } from '../services.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'
import { createAnswerCache } from './balanceCache.ts'
import { compare, isShown, type Sortable, toBalance } from './formatBalance.ts'
import type { AccountNews, BalanceSources } from './holding.ts'
import { type BalanceQuery, parseBalanceQuery } from './parseBalanceQuery.ts'
import { readHoldings } from './readHoldings.ts'

type BalanceRoutesDeps = BalanceSources &
  Pick<Services, 'clock'> & {
    readonly getTokenIcon: GetTokenIcon
    /** The prices of a day ago. */
    readonly readDayPrices: ReadPrices
    readonly responseCache?: Pick<ResponseCache, 'keep'>
    /**
     * Events of accounts of all networks; by default the activity's, which are of EVM chains only.
     */
    readonly events?: AccountNews
  }

/** How long a response is cached: with and without the account's activity to invalidate it. */
const watchedSeconds = 10
const unwatchedSeconds = 3

/**
 * `GET /v1/account/{address}/balance`: the holdings of an address, read from the chains themselves;
 * `…/portfolio` returns the same without amounts.
 */
export function balanceRoutes(sources: BalanceRoutesDeps): Hono {
  const deps = { ...sources, readPrices: addPriceChanges(sources) }
  const answers = createAnswerCache({ kv: deps.kv, events: deps.events ?? deps.activity })
  const reply = async (c: Context, query: Query, show: (text: string) => string) => {
    const parsed = parseBalanceQuery(deps, { ...query, address: c.req.param('address') ?? '' })
    const asker = getAsker(deps.config, getClientOrigin(c))
    const text = await orUnavailable(unavailable(parsed), () => answer(parsed, asker))
    if (parsed.forced.size === 0) keep(c, parsed, show)
    return json(show(text))
  }
  return new Hono()
    .get(accountBalanceRoute.path, (c) =>
      reply(c, parseQuery(c, accountBalanceRoute.query), (text) => text),
    )
    .get(accountPortfolioRoute.path, (c) =>
      reply(c, parseQuery(c, accountPortfolioRoute.query), toPortfolio),
    )

  function keep(c: Context, parsed: BalanceQuery, show: (text: string) => string) {
    const key = cacheKey(parsed)
    deps.responseCache?.keep(c, () => whenReady(answers.get(key), (text) => text && show(text)))
  }

  async function answer(parsed: BalanceQuery, asker: Asker): Promise<string> {
    const { activity } = deps
    const asked = activity ? { ...deps, activity: askedBy(activity, asker) } : deps
    const key = cacheKey(parsed)
    if (parsed.forced.size > 0) {
      const { text } = await readAnswer(asked, parsed)
      // The next reader must not see older data.
      await answers.forget(affectedKeys(parsed))
      return text
    }
    const known = await answers.get(key)
    if (known !== undefined) return known
    const { owner, chainIds } = parsed
    const followed = chainIds.filter((id) => isFollowed(deps, id))
    const seconds = followed.length < chainIds.length ? unwatchedSeconds : watchedSeconds
    const eventChainIds = chainIds.filter((id) => followed.includes(id) || !isEvmChain(id))
    const question = { key, owner, chainIds: eventChainIds, seconds }
    return answers.fill(question, () => readAnswer(asked, parsed))
  }
}

type Query = Omit<Parameters<typeof parseBalanceQuery>[1], 'address'>

/** The holdings, without amounts. */
function toPortfolio(text: string): string {
  const { balances } = JSON.parse(text) as { balances: Partial<Balance>[] }
  const data = balances.map(({ name = '', symbol = '', chainId = '', address }) => ({
    id: address ?? `${chainId}${nativeIds[parseChainId(chainId).namespace] ?? ''}`,
    name,
    symbol,
  }))
  return JSON.stringify({ data })
}

/**
 * The id of the native currency behind the chain: in place of a token's address, and CAIP-19's id
 * of bitcoins.
 */
const nativeIds: Partial<Record<Namespace, string>> = {
  eip155: `:${nativeAddress}`,
  solana: ':So11111111111111111111111111111111111111111',
  bip122: '/slip44:0',
}

type AnswerKey = Pick<BalanceQuery, 'owner' | 'chainIds' | 'currency' | 'oneChain'>

const cacheKey = ({ owner, chainIds, currency, oneChain }: AnswerKey) =>
  `balance:${owner}:${oneChain ? chainIds[0] : 'all'}:${currency}`

/**
 * The cache keys of every response that contains the balances just read, in the requested currency.
 */
const affectedKeys = (parsed: AnswerKey) => [
  cacheKey({ ...parsed, oneChain: false }),
  ...parsed.chainIds.map((id) => cacheKey({ ...parsed, chainIds: [id], oneChain: true })),
]

const json = (text: string) =>
  new Response(text, { headers: { 'content-type': 'application/json' } })

/**
 * Whether the server follows the activity of accounts on a chain, and so is notified of new
 * balances.
 */
const isFollowed = ({ activity, config }: BalanceRoutesDeps, id: ChainId) =>
  activity !== undefined &&
  isEvmChain(id) &&
  (config.chains[id]?.activity?.source ?? 'rpc') === 'rpc'

/**
 * The body of the response; not cached if something is missing in it. Throws RPC_UNAVAILABLE if no
 * chain answers.
 */
async function readAnswer(
  deps: BalanceRoutesDeps,
  parsed: BalanceQuery,
): Promise<{ text: string; keep: boolean }> {
  const { owner, chainIds } = parsed
  const read = (chainId: ChainId) =>
    readHoldings(deps, { owner, chainId, forced: getForcedTokens(parsed, chainId) }).then(
      (read) => ({ chainId, ...read }),
      (error: unknown) => {
        if (!isError(error, 'RPC_UNAVAILABLE')) throw error
        return { chainId, error }
      },
    )
  const chains = await Promise.all(chainIds.map(read))
  const failed = chains.filter((chain) => 'error' in chain)
  if (failed.length > 0 && failed.length === chains.length) throw failed[0]?.error
  const { getTokenIcon } = deps
  const rows: Sortable[] = []
  const format = { ...parsed, getTokenIcon }
  for (const chain of chains) {
    if ('error' in chain) continue
    const { chainId, holdings } = chain
    for (const holding of holdings) {
      const row = { chainId, holding }
      if (!isShown(row, parsed)) continue
      const native = holding.address === undefined
      rows.push({ native, balance: toBalance(row, format) })
    }
  }
  const balances = rows.sort(compare).map(({ balance }) => balance)
  const keep = chains.every((chain) => !('error' in chain) && chain.isComplete)
  const missing = chains.filter((chain) => 'error' in chain || chain.isPartial)
  const unavailable = missing.length > 0 ? missing.map(({ chainId }) => chainId) : undefined
  return { text: JSON.stringify({ balances, unavailable }), keep }
}

const getForcedTokens = ({ forced }: BalanceQuery, chainId: ChainId) =>
  [...forced.keys()]
    .filter((id) => id.startsWith(`${chainId}:`))
    .map((id) => id.slice(chainId.length + 1))

const unavailable = ({ chainIds: [first] }: BalanceQuery): Failure => ({
  status: 503,
  field: 'chainId',
  description: `Requested namespace ${first && parseChainId(first).namespace} balance provider is temporarily unavailable`,
  retryAfterSeconds: 5,
})
