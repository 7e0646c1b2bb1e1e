import {
  accountBalance,
  accountPortfolio,
  type Balance,
  type ChainId,
  isError,
} from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { type Failure, failureResponse } from '../http/failure.ts'
import type { HotAnswers } from '../http/hotAnswers.ts'
import { parseQuery } from '../http/parse.ts'
import { nativeAddress } from '../prices/price.ts'
import type { Services } from '../services.ts'
import { formatUnits } from '../tokens/formatUnits.ts'
import type { IconOf } from '../tokens/tokenIcons.ts'
import { keepAnswers } from './cacheAnswers.ts'
import { priceNumber, worthOf } from './fiatValue.ts'
import { type AskedBalance, readAsked } from './parseBalanceQuery.ts'
import { type Holding, readHoldings, type Sources } from './readHoldings.ts'

type Hex = `0x${string}`
type Needs = Sources &
  Pick<Services, 'clock'> & { readonly iconOf: IconOf; readonly hot?: Pick<HotAnswers, 'keep'> }

/** How long an answer is kept where the account's activity drops it when something happens, and where nothing does. */
const watchedSeconds = 10
const unwatchedSeconds = 3

/**
 * `GET /v1/account/{address}/balance`: what an EVM address holds, read from the chains themselves; `…/portfolio` names the
 * same without amounts.
 */
export function balanceRoutes(needs: Needs): Hono {
  const kept = keepAnswers(needs)
  const reply = async (c: Context, query: Query | Response, show: (text: string) => string) => {
    if (query instanceof Response) return query
    const asked = readAsked(needs, { ...query, address: c.req.param('address') ?? '' })
    if ('status' in asked) return failureResponse(asked)
    try {
      const text = await answer(asked)
      if (asked.forced.size === 0) keep(c, asked, show)
      return json(show(text))
    } catch (error) {
      if (!isError(error, 'RPC_UNAVAILABLE')) throw error
      return failureResponse(unavailable)
    }
  }
  return new Hono()
    .get(accountBalance.path, (c) => reply(c, parseQuery(c, accountBalance.query), (text) => text))
    .get(accountPortfolio.path, (c) => reply(c, parseQuery(c, accountPortfolio.query), portfolioOf))

  function keep(c: Context, asked: AskedBalance, show: (text: string) => string) {
    const key = keyOf(asked)
    needs.hot?.keep(c, async () => {
      const text = await kept.get(key)
      return text && show(text)
    })
  }

  async function answer(asked: AskedBalance): Promise<string> {
    const key = keyOf(asked)
    if (asked.forced.size > 0) {
      const { text } = await readAnswer(needs, asked)
      // Who looks next must not see less.
      await kept.forget(keysOf(asked))
      return text
    }
    const known = await kept.get(key)
    if (known !== undefined) return known
    const { owner, chainIds } = asked
    const question = { key, owner, chainIds, seconds: secondsOf(needs, chainIds) }
    return kept.fill(question, () => readAnswer(needs, asked))
  }
}

type Query = Omit<Parameters<typeof readAsked>[1], 'address'>

/** What is held, without amounts. */
function portfolioOf(text: string): string {
  const { balances } = JSON.parse(text) as { balances: Balance[] }
  const data = balances.map(({ name, symbol, chainId, address }) => ({
    id: address ?? `${chainId}:${nativeAddress}`,
    name,
    symbol,
  }))
  return JSON.stringify({ data })
}

type Named = Pick<AskedBalance, 'owner' | 'chainIds' | 'currency' | 'oneChain'>

const keyOf = ({ owner, chainIds, currency, oneChain }: Named) =>
  `balance:${owner}:${oneChain ? chainIds[0] : 'all'}:${currency}`

/** Of every answer that what was read anew is in, in the currency asked for. */
const keysOf = (asked: Named) => [
  keyOf({ ...asked, oneChain: false }),
  ...asked.chainIds.map((id) => keyOf({ ...asked, chainIds: [id], oneChain: true })),
]

const json = (text: string) =>
  new Response(text, { headers: { 'content-type': 'application/json' } })

const secondsOf = ({ activity, config }: Needs, chainIds: readonly ChainId[]) =>
  activity !== undefined &&
  chainIds.every((id) => (config.chains[id]?.activity?.source ?? 'rpc') === 'rpc')
    ? watchedSeconds
    : unwatchedSeconds

/** The body of the answer; not to be kept when something is missing in it. Throws RPC_UNAVAILABLE when all chains are. */
async function readAnswer(
  needs: Needs,
  asked: AskedBalance,
): Promise<{ text: string; keep: boolean }> {
  const { owner, chainIds } = asked
  const read = (chainId: ChainId) =>
    readHoldings(needs, { owner, chainId, forced: forcedOn(asked, chainId) }).then(
      (read) => ({ chainId, ...read }),
      (error: unknown) => {
        if (!isError(error, 'RPC_UNAVAILABLE')) throw error
        return { chainId, error }
      },
    )
  const chains = await Promise.all(chainIds.map(read))
  const failed = chains.filter((chain) => 'error' in chain)
  if (failed.length > 0 && failed.length === chains.length) throw failed[0]?.error
  const { iconOf } = needs
  const rows: Sortable[] = []
  for (const chain of chains) {
    if ('error' in chain) continue
    const { chainId, holdings } = chain
    for (const holding of holdings) {
      const row = { chainId, holding }
      if (!isShown(row, asked)) continue
      const native = holding.address === undefined
      rows.push({ native, balance: entryOf(row, { ...asked, iconOf }) })
    }
  }
  const balances = rows.sort(compare).map(({ balance }) => balance)
  const keep = chains.every((chain) => !('error' in chain) && chain.isWhole)
  return { text: JSON.stringify({ balances }), keep }
}

const forcedOn = ({ forced }: AskedBalance, chainId: ChainId) =>
  [...forced.keys()]
    .filter((id) => id.startsWith(`${chainId}:`))
    .map((id) => id.slice(chainId.length + 1) as Hex)

const unavailable: Failure = {
  status: 503,
  field: 'chainId',
  description: 'Requested namespace eip155 balance provider is temporarily unavailable',
  retryAfterSeconds: 5,
}

type Row = { readonly chainId: ChainId; readonly holding: Holding }

function isShown({ chainId, holding }: Row, { forced, oneChain }: AskedBalance): boolean {
  if (holding.decimals === 0) return false
  if (holding.amount > 0n || (oneChain && holding.address === undefined)) return true
  return forced.has(`${chainId}:${(holding.address ?? nativeAddress).toLowerCase()}`)
}

type Shown = Pick<AskedBalance, 'currency' | 'forced'> & { readonly iconOf: IconOf }

function entryOf({ chainId, holding }: Row, { currency, forced, iconOf }: Shown): Balance {
  const { name, symbol, decimals, address, amount } = holding
  // Prices are in dollars; there is no honest source for another currency here.
  const seen = currency === 'usd' ? holding.seen : undefined
  const value = worthOf({ amount, decimals, price: seen?.price })
  const id = address && `${chainId}:${address}`
  return {
    name,
    symbol,
    chainId,
    ...(id !== undefined && { address: forced.get(id.toLowerCase()) ?? id }),
    ...(value !== undefined && { value }),
    ...(seen !== undefined && {
      price: priceNumber(seen.price),
      priceUpdatedAt: new Date(seen.seenAtMs).toISOString(),
    }),
    quantity: { decimals: String(decimals), numeric: formatUnits(amount, decimals) },
    iconUrl: iconOf(symbol),
  }
}

type Sortable = { readonly native: boolean; readonly balance: Balance }

const compare = (a: Sortable, b: Sortable): number =>
  Number(b.native) - Number(a.native) ||
  (b.balance.value ?? -1) - (a.balance.value ?? -1) ||
  a.balance.symbol.localeCompare(b.balance.symbol)
