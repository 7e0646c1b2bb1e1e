import {
  type ChainId,
  convertAllowanceRoute,
  convertApprovalRoute,
  convertQuotesRoute,
  convertTokensRoute,
  convertTransactionRoute,
} from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { encodeFunctionData } from 'viem/utils'
import { erc20Abi } from '../evm/abi.ts'
import { nativeAddress } from '../evm/address.ts'
import { decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import { readContracts } from '../evm/readContracts.ts'
import { readGasPrice } from '../gas/readGasPrice.ts'
import { badRequest, HttpFailure, orUnavailable } from '../http/failure.ts'
import { parseBody, parseQuery } from '../http/request/parse.ts'
import { createOneInchSource } from './createOneInchSource.ts'
import { otherChain, parseAccount, parseTrade, requireSwapChain } from './parseTrade.ts'
import { readSwapTokens, type SwapTokenDeps } from './readSwapTokens.ts'
import {
  refuseTrade,
  type SwapQuote,
  type SwapSource,
  sourceUnavailable,
  type Trade,
} from './swapSource.ts'
import { createUniswapSource } from './uniswap/createUniswapSource.ts'

const maxUint256 = 2n ** 256n - 1n

/**
 * `/v1/convert/…` except the gas price: quotes, tokens and transactions that exchange one token for
 * another.
 */
export function convertRoutes(deps: SwapTokenDeps): Hono {
  const { config, upstreams } = deps
  const sources = { uniswap: createUniswapSource(deps), '1inch': createOneInchSource(deps) }
  const getSource = (chainId: ChainId): SwapSource =>
    sources[config.chains[chainId]?.swap?.source ?? 'uniswap']
  return new Hono()
    .get(convertQuotesRoute.path, async (c) => {
      const query = parseQuery(c, convertQuotesRoute.query)
      const trade = parseTrade(config, query)
      return answer(c, async () => {
        const quote = await getSource(trade.chainId).quote(trade)
        return { quotes: [describeQuote(trade, quote)] }
      })
    })
    .get(convertTokensRoute.path, async (c) => {
      const query = parseQuery(c, convertTokensRoute.query)
      const chainId = requireSwapChain(config, query.chainId)
      return answer(c, () => readSwapTokens(deps, { chainId, address: query.address }))
    })
    .get(convertAllowanceRoute.path, async (c) => {
      const query = parseQuery(c, convertAllowanceRoute.query)
      const token = parseAccount(config, { text: query.tokenAddress, field: 'tokenAddress' })
      const user = parseAccount(config, { text: query.userAddress, field: 'userAddress' })
      const { chainId } = token
      return answer(c, async () => {
        if (token.address === nativeAddress) return { allowance: String(maxUint256) }
        const spender = await getSource(chainId).spender(chainId)
        const args = [user.address, spender] as const
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
        const source = { upstreams, chainId, multicall3: undefined }
        const allowance = decodeUint(
          (await readContracts(source, [{ to: token.address, data }]))[0],
        )
        if (allowance === undefined)
          throw refuseTrade(`token ${query.tokenAddress.slice(0, 120)} is not supported`)
        return { allowance: String(allowance) }
      })
    })
    .get(convertApprovalRoute.path, async (c) => {
      const query = parseQuery(c, convertApprovalRoute.query)
      const trade = parseTrade(config, { ...query, amount: '1' })
      if (trade.from === nativeAddress)
        throw new HttpFailure(badRequest('from', 'The native currency needs no approval'))
      return answer(c, async () => {
        const { chainId } = trade
        const spender = await getSource(chainId).spender(chainId)
        const args = [
          spender,
          query.amount === undefined ? maxUint256 : BigInt(query.amount),
        ] as const
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
        const gasPrice = String((await readGasPrice(upstreams, chainId)).standard)
        // Clients send it to the address in `from`.
        return { tx: { from: query.from, to: query.to, data, value: '0', eip155: { gasPrice } } }
      })
    })
    .post(convertTransactionRoute.path, async (c) => {
      const body = await parseBody(c, convertTransactionRoute.body)
      const trade = parseTrade(config, body)
      const user = parseAccount(config, { text: body.userAddress, field: 'userAddress' })
      if (user.chainId !== trade.chainId) throw new HttpFailure(otherChain('userAddress'))
      const { slippage, permit } = body.eip155 ?? {}
      if (slippage === undefined) throw new HttpFailure(noSlippage)
      return answer(c, async () => {
        const slippageBps = BigInt(Math.round(slippage * 100))
        const order = {
          ...trade,
          user: user.address,
          slippageBps,
          permit: permit as Hex | undefined,
        }
        const built = await getSource(trade.chainId).build(order)
        const gasPrice = String((await readGasPrice(upstreams, trade.chainId)).standard)
        const { deadlineSeconds } = built
        const tx = {
          from: body.userAddress,
          to: `${trade.chainId}:${built.to}`,
          data: built.data,
          amount: String(built.quote.toAmount),
          eip155: { gas: String(built.gas), gasPrice },
          minimum: String(built.minimum),
          value: String(built.value),
          quote: describeQuote(trade, built.quote),
          ...(deadlineSeconds !== undefined && { deadline: String(deadlineSeconds) }),
        }
        return { tx }
      })
    })
}

/** Responds with the result of the work. */
const answer = async (c: Context, work: () => Promise<object>): Promise<Response> =>
  c.json(await orUnavailable(sourceUnavailable, work))

function describeQuote({ chainId, from, to, amount }: Trade, quote: SwapQuote) {
  const toId = (address: string) => `${chainId}:${address}`
  const { feePpm, impactPpm, gas, block, isWrap } = quote
  return {
    id: null,
    fromAmount: String(amount),
    fromAccount: toId(from),
    toAmount: String(quote.toAmount),
    toAccount: toId(to),
    route: quote.paths.map(({ percent, tokens, exchanges }) => ({
      percent,
      tokens: tokens.map(toId),
      exchanges,
    })),
    ...(feePpm !== undefined && { fee: toPercent(feePpm) }),
    ...(impactPpm !== undefined && { priceImpact: toPercent(impactPpm) }),
    ...(block !== undefined && { block: String(block) }),
    ...(gas !== undefined && { gas: String(gas) }),
    ...(isWrap && { isWrap }),
  }
}

const toPercent = (ppm: bigint) => String(Number(ppm) / 10_000)

const noSlippage = badRequest('slippage', 'The slippage parameter is necessary for eip155 networks')
