import type { HttpBindings } from '@hono/node-server'
import { accountValueRoute, type ChainId, type HistorySync, type PricePeriod } from '@latchkey/wire'
import { Hono } from 'hono'
import { invalidAccountAddress, isInNamespace, parseAccountAddress } from '../accountAddress.ts'
import type { Activity } from '../activity/activity.ts'
import { askedBy, getAsker } from '../activity/asker.ts'
import { defaultPatienceMs, isSearched, readUntilComplete } from '../activity/readUntilComplete.ts'
import { nativeAddress } from '../evm/address.ts'
import { isEvmChain } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import { HttpFailure, orUnavailable } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { getClientOrigin } from '../http/limitRate.ts'
import { parseQuery } from '../http/request/parse.ts'
import { periodSteps } from '../prices/fetchExternalHistory.ts'
import { type PriceHistoryDeps, readPriceHistory } from '../prices/readPriceHistory.ts'
import { createAnswerCache } from './balanceCache.ts'
import { fiatValue } from './fiatValue.ts'
import type { BalanceSources, Holding } from './holding.ts'
import { readHoldings } from './readHoldings.ts'
import { getValueHistory, valueNow } from './valueHistory.ts'

type ValueRoutesDeps = Omit<BalanceSources, 'activity'> &
  PriceHistoryDeps & { readonly activity: Activity | undefined; readonly patienceMs?: number }

type Env = { Bindings: Partial<HttpBindings> }

/** Holdings whose earlier value is read, the most valuable first. */
const maxHoldings = 20
const cacheSeconds = 60

/**
 * `GET /v1/account/{address}/value`: the value of an account over time, on a network whose activity
 * this server follows. Waits a short time for activity that was not read yet. If it is still
 * missing, the response covers less and is not cached.
 */
export function valueRoutes(deps: ValueRoutesDeps): Hono<Env> {
  const answers = createAnswerCache({ kv: deps.kv, events: undefined })
  return new Hono<Env>().get(accountValueRoute.path, async (c) => {
    const query = parseQuery(c, accountValueRoute.query)
    const account = parseAccountAddress(c.req.param('address') ?? '')
    if (account === undefined) throw new HttpFailure(invalidAccountAddress(undefined))
    const { chainId } = requireChain(deps.config, query.chainId)
    if (!isInNamespace(chainId, account)) throw new HttpFailure(invalidAccountAddress(chainId))
    const source = deps.config.chains[chainId]?.activity?.source ?? 'rpc'
    const followed = deps.activity
    if (!isEvmChain(chainId) || followed === undefined || source !== 'rpc')
      return json(JSON.stringify({ points: null, since: null }))
    const activity = askedBy(followed, getAsker(deps.config, getClientOrigin(c)))
    const address = account.address as Hex
    const { period } = query
    const key = `value:${chainId}:${address}:${period}`
    const question = { key, owner: address, chainIds: [], seconds: cacheSeconds }
    const read = async () => {
      const sync = await readSync({ ...deps, activity }, { chainId, address })
      const asked = { chainId, address, period, sync }
      const answer = await readValues({ ...deps, activity }, asked)
      return {
        text: JSON.stringify(answer ?? null),
        keep: answer !== undefined && isSearched(sync),
      }
    }
    const text = await orUnavailable(
      unavailable,
      async () => (await answers.get(key)) ?? (await answers.fill(question, read)),
    )
    if (text === 'null') throw new HttpFailure(unavailable)
    return json(text)
  })
}

type Followed = { readonly activity: Activity; readonly patienceMs?: number }
type Account = { readonly chainId: ChainId; readonly address: Hex }
type ValueParameters = Account & { readonly period: PricePeriod; readonly sync: HistorySync }

async function readSync({ activity, patienceMs = defaultPatienceMs }: Followed, account: Account) {
  await activity.follow(account)
  return readUntilComplete({
    activity,
    address: account.address,
    chainIds: [account.chainId],
    patienceMs,
    read: () => activity.sync(account),
    isKnown: isSearched,
  })
}

/** Undefined while the source of prices is unavailable. */
async function readValues(
  deps: ValueRoutesDeps & { readonly activity: Activity },
  { chainId, address, period, sync }: ValueParameters,
) {
  const { minutes, count } = periodSteps[period]
  const stepMs = minutes * 60_000
  const nowMs = deps.clock()
  const sinceMs = nowMs - count * stepMs
  const account = { chainId, address }
  const { holdings } = await readHoldings(deps, { owner: address, chainId, forced: [] })
  const changes = await deps.activity.readChanges(account, { sinceMs, stepMs })
  const moved = new Set(changes.map(({ contract }) => contract))
  const counted = holdings
    .filter(({ quote, amount, address: token }) =>
      // A token that was sold gets a price too, if it is listed.
      quote !== undefined ? amount > 0n || moved.has(keyOf(token)) : moved.has(keyOf(token)),
    )
    .sort((one, other) => worth(other) - worth(one))
    .slice(0, maxHoldings)
  const priced = await Promise.all(
    counted.map(async ({ address: token, amount, decimals, quote }) => {
      const contract = keyOf(token)
      const prices = await readPriceHistory(deps, {
        chainId,
        token: contract ?? nativeAddress,
        period,
      })
      const value = fiatValue({ amount, decimals, price: quote?.price })
      return prices && { contract, amount, decimals, prices, value }
    }),
  )
  const whole = priced.flatMap((one) => (one === undefined ? [] : [one]))
  if (whole.length < priced.length) return undefined
  const unknown = isSearched(sync) ? Number.NEGATIVE_INFINITY : nowMs
  const knownSince = sync.since === null ? unknown : Date.parse(sync.since)
  // Nothing before an unread block can be computed without the changes in that block.
  const knownSinceMs = Math.max(
    knownSince,
    sync.unread ? Date.parse(sync.unread.latest) : knownSince,
  )
  const steps = { sinceMs, stepMs, count, knownSinceMs }
  return { points: getValueHistory(whole, { changes, steps }), since: sync.since }
}

const keyOf = (token: string | undefined) => token?.toLowerCase() as Hex | undefined

const worth = ({ amount, decimals, quote }: Holding): number =>
  quote === undefined ? 0 : valueNow(amount, decimals, quote.price)

const json = (text: string) =>
  new Response(text, { headers: { 'content-type': 'application/json' } })

const unavailable = {
  status: 503,
  field: 'chainId',
  description: 'The value history is temporarily unavailable',
  retryAfterSeconds: 5,
} as const
