import { encodeFunctionData } from 'viem/utils'
import { erc20Abi } from '../evm/abi.ts'
import { decodeAddress, decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import type { ContractRead } from '../evm/readContracts.ts'
import { factoryAbi } from './abi.ts'
import { type Exchange, getRoutes } from './exchange.ts'

/** A pool of two tokens, which it keeps sorted by address. */
export type Pool = {
  readonly kind: 'uniswap-v2' | 'uniswap-v3'
  readonly address: Hex
  readonly first: Hex
  readonly second: Hex
}

/** One step of a route to the dollar: the pools that trade `token` for `paid`. */
export type Hop = {
  readonly token: Hex
  readonly paid: Hex
  readonly tokenDecimals: number
  readonly paidDecimals: number
  readonly pools: readonly Pool[]
}

/** The routes of a token that have a pool at every step. */
export type PricedRoutes = readonly (readonly Hop[])[]

type ReadAll = (reads: readonly ContractRead[]) => Promise<(Hex | undefined)[]>

/**
 * Looks up the constant facts on the chain: the pools on each token's routes and the decimals of
 * the tokens on them.
 */
export async function findPools(
  exchange: Exchange,
  tokens: readonly Hex[],
  readAll: ReadAll,
): Promise<Map<Hex, PricedRoutes>> {
  const routes = new Map(tokens.map((token) => [token, getRoutes(exchange, token)]))
  const allRoutes = [...routes.values()].flat()
  const passed = [...new Set(allRoutes.flat())]
  const pairs = new Map(allRoutes.flatMap(getPairs).map((pair) => [pair.join(), pair]))
  const lookups = [...pairs.values()].flatMap((pair) => poolLookups(exchange, pair))
  const answers = await readAll([
    ...passed.map((to) => ({ to, data: decimalsCall })),
    ...lookups.map(({ read }) => read),
  ])
  const decimals = new Map(
    passed.map((token, index) => [token, readDecimals(answers[index])] as const),
  )
  const pools = new Map<string, Pool[]>()
  lookups.forEach(({ kind, pair: [first, second] }, index) => {
    const address = decodeAddress(answers[passed.length + index])
    if (address === undefined) return
    const key = `${first},${second}`
    pools.set(key, [...(pools.get(key) ?? []), { kind, address, first, second }])
  })
  const findHop = ([token, paid]: readonly [Hex, Hex]): Hop | undefined => {
    const found = pools.get(sorted(token, paid).join())
    const tokenDecimals = decimals.get(token)
    const paidDecimals = decimals.get(paid)
    if (found === undefined || tokenDecimals === undefined || paidDecimals === undefined) return
    return { token, paid, tokenDecimals, paidDecimals, pools: found }
  }
  const waysFound = (list: Hex[][]) =>
    list.flatMap((way) => {
      const hops = getSteps(way).map(findHop)
      return hops.every((hop) => hop !== undefined) ? [hops] : []
    })
  return new Map([...routes].map(([token, list]) => [token, waysFound(list)]))
}

const decimalsCall = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })

const getSteps = (way: readonly Hex[]) =>
  way.slice(1).map((paid, index) => [way[index] ?? paid, paid] as const)
const getPairs = (way: readonly Hex[]) => getSteps(way).map(([a, b]) => sorted(a, b))
const sorted = (a: Hex, b: Hex): readonly [Hex, Hex] => (a < b ? [a, b] : [b, a])

type PoolLookup = {
  readonly kind: Pool['kind']
  readonly pair: readonly [Hex, Hex]
  readonly read: ContractRead
}

function poolLookups({ v2Factory, v3 }: Exchange, pair: readonly [Hex, Hex]): PoolLookup[] {
  const v2 =
    v2Factory === undefined
      ? []
      : [
          {
            kind: 'uniswap-v2' as const,
            pair,
            read: {
              to: v2Factory,
              data: encodeFunctionData({ abi: factoryAbi, functionName: 'getPair', args: pair }),
            },
          },
        ]
  const tiers = v3?.fees.map((fee) => ({
    kind: 'uniswap-v3' as const,
    pair,
    read: {
      to: v3.factory,
      data: encodeFunctionData({
        abi: factoryAbi,
        functionName: 'getPool',
        args: [...pair, fee],
      }),
    },
  }))
  return [...v2, ...(tiers ?? [])]
}

function readDecimals(data: Hex | undefined): number | undefined {
  const decimals = decodeUint(data)
  return decimals !== undefined && decimals <= 36n ? Number(decimals) : undefined
}
