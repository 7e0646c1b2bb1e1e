import type { ChainId } from '@latchkey/wire'
import { encodeFunctionData } from 'viem/utils'
import { erc20Abi } from '../../evm/abi.ts'
import { nativeAddress } from '../../evm/address.ts'
import { decodeUint } from '../../evm/decodeResult.ts'
import type { Hex } from '../../evm/hex.ts'
import { readContracts } from '../../evm/readContracts.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'
import { type Exchange, getExchange } from '../../prices/exchange.ts'
import type { Services } from '../../services.ts'
import type { GetListedTokens } from '../../tokens/listedTokens.ts'
import type { UniswapConfig } from '../swapConfig.ts'
import {
  getMinimum,
  noLiquidity,
  type Order,
  refuseTrade,
  type SwapQuote,
  type SwapSource,
  type Trade,
} from '../swapSource.ts'
import { wrappedAbi } from './abi.ts'
import { encodeOrder } from './encodeOrder.ts'
import { findPaths, type Path } from './findPaths.ts'
import { priceGas } from './priceGas.ts'
import type { Probe } from './probeTransfer.ts'
import { parts, readSwapMarket, type SwapMarket } from './readMarket.ts'
import { getPathGas, type Split, splitAmount, sum } from './splitAmount.ts'

type UniswapSourceDeps = Pick<Services, 'config' | 'kv' | 'clock'> & {
  readonly upstreams: Upstreams
  readonly getListed: GetListedTokens
}
/** Also keeps the latest gas price of each network. */
type UniswapState = UniswapSourceDeps & {
  readonly gasPrices: Map<ChainId, { readonly wei: bigint; readonly untilMs: number }>
}

const pathSeconds = 300
/** Gas prices move by at most an eighth per block, and only affect the choice of a route. */
const gasPriceMs = 10_000
/** How long a swap transaction is valid. It fails if no block has included it by then. */
const lifetimeSeconds = 600n
const wrapGas = 60_000n
/** For the router's own work, independent of the pools. */
const routerGas = 120_000n
const million = 1_000_000n

/**
 * Swaps through a network's own pools: one router, and quotes read from the network's nodes in one
 * block.
 */
export function createUniswapSource(deps: UniswapSourceDeps): SwapSource {
  const own: UniswapState = { ...deps, gasPrices: new Map() }
  return {
    quote: async (trade) => (await workOut(own, trade)).quote,
    build: (order) => build(own, order),
    spender: async (chainId) => getSetup(deps, chainId).router,
  }
}

type Setup = {
  readonly router: Hex
  readonly quoter: Hex | undefined
  readonly multicall3: Hex
  readonly exchange: Exchange
  readonly bases: readonly Hex[]
}

/** The swap settings of the chains file, which were validated at startup. */
function getSetup({ config }: UniswapSourceDeps, chainId: ChainId): Setup {
  const chain = config.chains[chainId]
  const exchange = chain && getExchange(chain)
  const swap = chain?.swap as UniswapConfig
  if (!exchange) throw new Error(`${chainId} has no pools`)
  const bases = [exchange.wrappedNative, exchange.usd, ...(swap.baseTokens ?? []).map(lower)]
  return {
    router: lower(swap.router),
    quoter: swap.quoter === undefined ? undefined : lower(swap.quoter),
    multicall3: lower(chain.multicall3 ?? ''),
    exchange,
    bases: [...new Set(bases)],
  }
}

const lower = (address: string) => address.toLowerCase() as Hex

type Worked = {
  readonly quote: SwapQuote
  readonly splits: readonly Split[]
  readonly market?: SwapMarket
}

async function workOut(deps: UniswapState, trade: Trade): Promise<Worked> {
  const { chainId, amount } = trade
  const setup = getSetup(deps, chainId)
  const toPoolToken = (token: Hex) =>
    token === nativeAddress ? setup.exchange.wrappedNative : token
  const [from, to] = [toPoolToken(trade.from), toPoolToken(trade.to)]
  if (from === to) {
    if (trade.from === trade.to) throw refuseTrade('the tokens are the same')
    return { quote: { toAmount: amount, gas: wrapGas, paths: [], isWrap: true }, splits: [] }
  }
  const paths = await readPaths(deps, { setup, chainId, from, to })
  if (paths.length === 0) throw noLiquidity()
  const listed = (await deps.getListed(chainId)).tokens
  const probed = [from, to].filter((token) => !setup.bases.includes(token))
  const probes = probed.map((token) => toProbe(token, { paths, amount, from }))
  const chain = { ...setup, upstreams: deps.upstreams, chainId }
  const gasPrice = deps.gasPrices.get(chainId)
  const asksGasPrice = gasPrice === undefined || gasPrice.untilMs <= deps.clock()
  const market = await readSwapMarket(chain, { paths, amount, probes, asksGasPrice })
  const gasPriceWei = asksGasPrice ? market.gasPriceWei : gasPrice.wei
  if (asksGasPrice && gasPriceWei !== undefined)
    deps.gasPrices.set(chainId, { wei: gasPriceWei, untilMs: deps.clock() + gasPriceMs })
  // If a node cannot simulate a transfer, the operator's list is trusted.
  const refused = probed.find((token, index) => {
    const arrival = market.arrivals[index]
    return arrival === 'changed' || (arrival === 'unknown' && !listed.has(token))
  })
  if (refused !== undefined)
    throw refuseTrade(`${refused} takes a fee on transfers, or cannot be transferred`)
  // V3 pools take exactly the amount they request, and V2 pools take the amount that arrives.
  const quotes = market.arrivals.includes('rounded')
    ? market.quotes.filter(({ path }) => path.version === 'v2')
    : market.quotes
  const splits = splitAmount(
    quotes,
    priceGas({ quotes, gasPriceWei }, setup.exchange.wrappedNative),
  )
  if (splits.length === 0) throw noLiquidity()
  return { quote: describe(splits, market), splits, market }
}

type Pair = {
  readonly setup: Setup
  readonly chainId: ChainId
  readonly from: Hex
  readonly to: Hex
}

/** Cached, because pools rarely change. */
async function readPaths({ kv, upstreams }: UniswapSourceDeps, { setup, chainId, from, to }: Pair) {
  const key = `swapPaths:${chainId}:${from}:${to}`
  const known = await kv.get(key)
  if (known !== undefined) return JSON.parse(known) as Path[]
  const { multicall3, exchange, bases, quoter, router } = setup
  // One token must not prevent the others from being read.
  const source = { upstreams, chainId, multicall3, searches: 2 }
  const found = await findPaths(exchange, { from, to, bases, router }, (reads) =>
    reads.length === 0 ? Promise.resolve([]) : readContracts(source, reads),
  )
  const usable = found.filter(({ version }) => version === 'v2' || quoter !== undefined)
  await kv.set(key, JSON.stringify(usable), pathSeconds)
  return usable
}

/** A transfer of about the traded amount, which the pool certainly holds. */
function toProbe(
  token: Hex,
  { paths, amount, from }: { paths: readonly Path[]; amount: bigint; from: Hex },
): Probe {
  const pool = paths
    .flatMap(({ pools }) => pools)
    .find(({ first, second }) => first === token || second === token)
  const held = BigInt(pool?.held[pool.first === token ? 0 : 1] ?? 1n)
  const most = held / 10n + 1n
  return {
    token,
    holder: pool?.address ?? token,
    amount: token === from && amount < most ? amount : most,
  }
}

function describe(splits: readonly Split[], { block }: SwapMarket): SwapQuote {
  const toAmount = sum(splits)
  const midOutput = sum(
    splits,
    ({ quote, count }) => (quote.midOutput * BigInt(count)) / BigInt(parts),
  )
  const lost = midOutput > toAmount ? midOutput - toAmount : 0n
  return {
    toAmount,
    gas: routerGas + getPathGas(splits),
    block,
    feePpm: sum(splits, getFee) / BigInt(parts),
    impactPpm: midOutput === 0n ? 0n : (lost * million) / midOutput,
    paths: splits.map(({ quote: { path }, count }) => ({
      percent: (count * 100) / parts,
      tokens: path.tokens,
      exchanges: path.pools.map(
        ({ fee }) => `Uniswap ${path.version.toUpperCase()} ${fee / 10_000}%`,
      ),
    })),
  }
}

/** The fee of a path's pools in millionths, multiplied by the path's number of parts. */
function getFee({ quote: { path }, count }: Split): bigint {
  const left = path.pools.reduce(
    (rest, { fee }) => (rest * (million - BigInt(fee))) / million,
    million,
  )
  return (million - left) * BigInt(count)
}

async function build(deps: UniswapState, order: Order): ReturnType<SwapSource['build']> {
  const worked = await workOut(deps, order)
  const { quote, splits, market } = worked
  const setup = getSetup(deps, order.chainId)
  const value = order.from === nativeAddress ? order.amount : 0n
  if (market === undefined) {
    const data =
      value > 0n
        ? encodeFunctionData({ abi: wrappedAbi, functionName: 'deposit' })
        : encodeFunctionData({ abi: wrappedAbi, functionName: 'withdraw', args: [order.amount] })
    const to = setup.exchange.wrappedNative
    return { to, data, value, gas: wrapGas, quote, minimum: order.amount }
  }
  if (await couldBePaidTwice(deps, order))
    throw refuseTrade(
      `${order.to} is not on a token list, and could make the router take your wrapped native currency too. First revoke the router's allowance of ${setup.exchange.wrappedNative}`,
    )
  const minimum = getMinimum(quote.toAmount, order.slippageBps)
  // The clock of a chain without activity lags behind ours; a local chain's clock may be ahead.
  const now = BigInt(Math.floor(deps.clock() / 1000))
  const { timestampSeconds } = market
  const deadlineSeconds = (timestampSeconds > now ? timestampSeconds : now) + lifetimeSeconds
  try {
    const data = encodeOrder(order, { splits, minimum, deadlineSeconds })
    return { to: setup.router, data, value, gas: quote.gas ?? 0n, quote, minimum, deadlineSeconds }
  } catch {
    throw refuseTrade('the permit is not valid')
  }
}

/**
 * Whether the user could pay twice: a token that is transferred before all of the native currency
 * is spent can call the router's `refundETH`. The router then takes the missing amount from the
 * user in the wrapped currency, up to the user's allowance. Throws RPC_UNAVAILABLE.
 */
async function couldBePaidTwice(deps: UniswapSourceDeps, { chainId, from, to, user }: Order) {
  const { bases, exchange, router } = getSetup(deps, chainId)
  if (from !== nativeAddress || bases.includes(to)) return false
  if ((await deps.getListed(chainId)).tokens.has(to)) return false
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'allowance',
    args: [user, router],
  })
  const source = { upstreams: deps.upstreams, chainId, multicall3: undefined }
  const [allowance] = await readContracts(source, [{ to: exchange.wrappedNative, data }])
  return decodeUint(allowance) !== 0n
}
