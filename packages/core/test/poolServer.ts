import { convertTransactionRoute } from '@latchkey/wire'
import { createPublicClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import { swapRouterAbi } from '../src/namespaces/eip155/swap/abi.ts'

const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** The router's own address as its functions encode it. */
const routerItself = '0x0000000000000000000000000000000000000002'
const v2Abi = parseAbi(['function getAmountsOut(uint256, address[]) view returns (uint256[])'])

type Body = (typeof convertTransactionRoute.body)['_zod']['output']
export type Tx = (typeof convertTransactionRoute.result)['_zod']['output']['tx']
export type PoolServer = ReturnType<typeof createPoolServer>

/** The URL of `createPoolServer`'s server, for the app's `apiUrl`. */
export const poolServerUrl = 'http://server.example'

/**
 * A server that swaps through the pools of Uniswap V2 on one local chain. `answers`: other
 * responses, by path. `alter` changes responses, for hostile servers. `fetch` passes on requests to
 * other origins.
 */
export function createPoolServer(chain: {
  chainId: string
  url: string
  addresses: { wrappedEther: Hex; uniswapV2Router: Hex; swapRouter: Hex }
}) {
  const { chainId, url, addresses } = chain
  const client = createPublicClient({ transport: http(url) })
  const server = {
    answers: {} as Record<string, (body: unknown) => unknown>,
    alter: (tx: Tx): Tx => tx,
    fetch: answer as typeof fetch,
  }

  async function answer(input: string | URL | Request, init?: RequestInit) {
    const target = new URL(String(input))
    if (target.origin !== poolServerUrl) return fetch(input, init)
    const own = server.answers[target.pathname]
    if (own) return json(own(init?.body && JSON.parse(String(init.body))))
    if (target.pathname !== '/v1/convert/build-transaction') return json({}, 404)
    const body = convertTransactionRoute.body.parse(JSON.parse(String(init?.body)))
    return json({ tx: server.alter(await build(body)) })
  }

  async function build(body: Body): Promise<Tx> {
    const toToken = (text: string) => {
      const address = text.split(':').at(-1) as Hex
      return address === native ? addresses.wrappedEther : address
    }
    const [from, to] = [toToken(body.from), toToken(body.to)]
    const amount = BigInt(body.amount)
    const isDirect = [from, to].includes(addresses.wrappedEther)
    const path = isDirect ? [from, to] : [from, addresses.wrappedEther, to]
    const expected = await getOutput(amount, path)
    const slippage = BigInt(Math.round((body.eip155?.slippage ?? 0) * 100))
    const minimum = (expected * (10_000n - slippage) + 9_999n) / 10_000n
    const user = body.userAddress.split(':').at(-1) as Hex
    const isToNative = body.to.endsWith(native)
    const { timestamp } = await client.getBlock()
    const swapData = encodeFunctionData({
      abi: swapRouterAbi,
      functionName: 'swapExactTokensForTokens',
      args: [amount, isToNative ? 0n : minimum, path, isToNative ? routerItself : user],
    })
    const unwrap = encodeFunctionData({
      abi: swapRouterAbi,
      functionName: 'unwrapWETH9',
      args: [minimum, user],
    })
    const now = BigInt(Math.floor(Date.now() / 1000))
    const deadline = (timestamp > now ? timestamp : now) + 600n
    const args = [deadline, isToNative ? [swapData, unwrap] : [swapData]] as const
    return {
      from: body.userAddress,
      to: `${chainId}:${addresses.swapRouter.toLowerCase()}`,
      data: encodeFunctionData({ abi: swapRouterAbi, functionName: 'multicall', args }),
      amount: String(expected),
      eip155: { gas: '400000', gasPrice: '1' },
      value: body.from.endsWith(native) ? body.amount : '0',
    }
  }

  const getOutput = async (amount: bigint, path: readonly Hex[]) => {
    const amounts = await client.readContract({
      address: addresses.uniswapV2Router,
      abi: v2Abi,
      functionName: 'getAmountsOut',
      args: [amount, path],
    })
    return amounts.at(-1) ?? 0n
  }

  return server
}

const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status })
