import { accountBalance, type Balance, type ChainId, isError } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { tokenSymbols } from '../directory/readImages.ts'
import { type Failure, failureResponse } from '../http/failure.ts'
import { parseQuery } from '../http/parse.ts'
import { chainOf } from '../rpc/chainOf.ts'
import type { Upstreams } from '../rpc/upstreams.ts'
import type { Services } from '../services.ts'
import { formatUnits } from './formatUnits.ts'
import { type Holding, readHoldings } from './readHoldings.ts'
import { readTokens, type Token } from './readTokens.ts'
import { priceNumber, worthOf } from './worthOf.ts'

type Hex = `0x${string}`
type Needs = Pick<Services, 'kv' | 'log' | 'config'>

const currencies = new Set(['btc', 'eth', 'usd', 'eur', 'gbp', 'aud', 'cad', 'inr', 'jpy'])
const cacheSeconds = 3
const nativeAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** `GET /v1/account/{address}/balance`: what an EVM address holds, read from the chains themselves. */
export function balanceRoutes(services: Needs, upstreams: Upstreams): Hono {
  const pictured = tokenSymbols()
  const tokensOf = rememberTokens(services)
  const answer = async (c: Context): Promise<Response> => {
    const query = parseQuery(c, accountBalance.query)
    if (query instanceof Response) return query
    const asked = readAsked(services, { ...query, address: c.req.param('address') ?? '' })
    if ('status' in asked) return failureResponse(asked)
    const read = (chainId: ChainId) =>
      holdingsOf(services, { ...asked, chainId, upstreams, tokensOf }).catch((error: unknown) => {
        if (!isError(error, 'RPC_UNAVAILABLE')) throw error
        return undefined
      })
    const chains = await Promise.all(asked.chainIds.map(read))
    const found = chains.flatMap((holdings, index) => {
      const chainId = asked.chainIds[index]
      return chainId === undefined ? [] : (holdings ?? []).map((holding) => ({ chainId, holding }))
    })
    if (chains.length > 0 && chains.every((holdings) => holdings === undefined))
      return failureResponse(unavailable)
    const iconOf = (symbol: string) =>
      pictured.has(symbol.toLowerCase())
        ? `${services.config.publicUrl}/public/getTokenImage/${encodeURIComponent(symbol)}`
        : ''
    const balances = found
      .filter((row) => isShown(row, asked))
      .map((row) => ({
        native: row.holding.address === undefined,
        balance: entryOf(row, asked, iconOf),
      }))
      .sort(compare)
      .map(({ balance }) => balance)
    return c.json({ balances })
  }
  return new Hono().get(accountBalance.path, answer)
}

type Asked = {
  readonly owner: Hex
  readonly chainIds: readonly ChainId[]
  readonly currency: string
  /** CAIP-10 ids, lower-case, that are shown even when empty and read anew. */
  readonly forced: ReadonlySet<string>
  readonly oneChain: boolean
}

type Query = {
  readonly address: string
  readonly currency: string
  readonly chainId?: string | undefined
  readonly forceUpdate?: string | undefined
}

const bad = (field: string, description: string): Failure => ({ status: 400, field, description })

function readAsked({ config }: Needs, query: Query): Asked | Failure {
  if (!/^0x[0-9a-fA-F]{40}$/.test(query.address))
    return bad('address', 'The address is not valid: 0x and 40 hex digits are expected')
  const currency = query.currency.toLowerCase()
  if (!currencies.has(currency))
    return bad('currency', `The currency is not one of ${[...currencies].join(', ')}`)
  const chain = query.chainId === undefined ? undefined : chainOf(config, query.chainId)
  if (chain && 'failure' in chain) return chain.failure
  if (chain && !chain.chainId.startsWith('eip155:'))
    return bad('chainId', 'Balances are known for eip155 chains only')
  const forced = new Set((query.forceUpdate ?? '').toLowerCase().split(',').filter(Boolean))
  if (forced.size > 100) return bad('forceUpdate', 'At most 100 tokens can be forced')
  for (const token of forced)
    if (!/^eip155:\d{1,16}:0x[0-9a-f]{40}$/.test(token))
      return bad('forceUpdate', 'A comma-separated list of CAIP-10 token ids is expected')
  const all = Object.keys(config.chains).filter((id) => id.startsWith('eip155:')) as ChainId[]
  return {
    owner: query.address.toLowerCase() as Hex,
    chainIds: chain ? [chain.chainId] : all,
    currency,
    forced,
    oneChain: chain !== undefined,
  }
}

const unavailable: Failure = {
  status: 503,
  field: 'chainId',
  description: 'Requested namespace eip155 balance provider is temporarily unavailable',
  retryAfterSeconds: 5,
}

type TokensOf = (chainId: ChainId) => Promise<readonly Token[]>

function rememberTokens({ config, log }: Needs): TokensOf {
  const lists = new Map<ChainId, Promise<readonly Token[]>>()
  return (chainId) => {
    const known = lists.get(chainId)
    if (known) return known
    const paths = config.chains[chainId]?.tokenLists ?? []
    const list = readTokens(paths, chainId.slice('eip155:'.length)).catch((error: unknown) => {
      log.error({ err: error, chain: chainId }, 'token list not read')
      lists.delete(chainId)
      return []
    })
    lists.set(chainId, list)
    return list
  }
}

type Reading = Asked & {
  readonly chainId: ChainId
  readonly upstreams: Upstreams
  readonly tokensOf: TokensOf
}

async function holdingsOf(
  { kv, config, log }: Needs,
  { owner, chainId, currency, forced, upstreams, tokensOf }: Reading,
): Promise<Holding[]> {
  const chain = config.chains[chainId]
  if (chain === undefined) return []
  const key = `balance:${owner}:${chainId}:${currency}`
  const missed = (error: unknown) => {
    log.warn({ err: error }, 'balance cache not used')
    return undefined
  }
  const cached = forced.size > 0 ? undefined : await kv.get(key).catch(missed)
  if (cached !== undefined) return JSON.parse(cached, revive)
  const tokens = await tokensOf(chainId)
  const holdings = await readHoldings({ upstreams, chainId, chain, tokens, owner })
  await kv.set(key, JSON.stringify(holdings, replace), cacheSeconds).catch(missed)
  return holdings
}

const replace = (_: string, value: unknown) =>
  typeof value === 'bigint' ? `bigint:${value}` : value
const revive = (key: string, value: unknown) =>
  (key === 'amount' || key === 'price') && typeof value === 'string'
    ? BigInt(value.slice('bigint:'.length))
    : value

type Row = { readonly chainId: ChainId; readonly holding: Holding }

function isShown({ chainId, holding }: Row, { forced, oneChain }: Asked): boolean {
  if (holding.decimals === 0) return false
  if (holding.amount > 0n || (oneChain && holding.address === undefined)) return true
  return forced.has(`${chainId}:${(holding.address ?? nativeAddress).toLowerCase()}`)
}

function entryOf(
  { chainId, holding }: Row,
  { currency }: Asked,
  iconOf: (symbol: string) => string,
): Balance {
  const { name, symbol, decimals, address, amount, price } = holding
  // Pools tell dollars; there is no honest source for another currency here.
  const priced = currency === 'usd' && price !== undefined
  const value = priced ? worthOf(holding) : undefined
  return {
    name,
    symbol,
    chainId,
    ...(address !== undefined && { address: `${chainId}:${address}` }),
    ...(value !== undefined && { value }),
    ...(priced && { price: priceNumber(price) }),
    quantity: { decimals: String(decimals), numeric: formatUnits(amount, decimals) },
    iconUrl: iconOf(symbol),
  }
}

type Sortable = { readonly native: boolean; readonly balance: Balance }

const compare = (a: Sortable, b: Sortable): number =>
  Number(b.native) - Number(a.native) ||
  (b.balance.value ?? -1) - (a.balance.value ?? -1) ||
  a.balance.symbol.localeCompare(b.balance.symbol)
