import { encodeFunctionData } from 'viem/utils'
import { erc20Abi } from '../../evm/abi.ts'
import { decodeAddress, decodeUint } from '../../evm/decodeResult.ts'
import type { Hex } from '../../evm/hex.ts'
import type { ContractRead } from '../../evm/readContracts.ts'
import { factoryAbi as abi } from '../../prices/abi.ts'
import type { Exchange } from '../../prices/exchange.ts'
import { routerAbi } from './abi.ts'

/**
 * A pool. `fee` is in millionths; `first` and `second` are sorted by address; `held` is how much of
 * each it held when it was found.
 */
export type SwapPool = {
  readonly address: Hex
  readonly fee: number
  readonly first: Hex
  readonly second: Hex
  readonly held: readonly [string, string]
}

/** A route from one token to another through pools of one version, in order. */
export type Path = {
  readonly version: 'v2' | 'v3'
  readonly tokens: readonly Hex[]
  readonly pools: readonly SwapPool[]
}

type ReadAll = (reads: readonly ContractRead[]) => Promise<(Hex | undefined)[]>
type Search = {
  readonly from: Hex
  readonly to: Hex
  readonly bases: readonly Hex[]
  readonly router: Hex
}

/** Uniswap V2 keeps 0.3%. */
const v2Fee = 3_000
/**
 * The number of V3 pools to try between the two tokens themselves, the deepest first; through
 * another token only the deepest pool is tried.
 */
const maxDirectPools = 2

/**
 * The paths from one token to another: directly, and through each of the base tokens. Needs two
 * reads: which pools exist, and how much they hold. Leaves out pools of a factory that the router
 * does not serve. Throws RPC_UNAVAILABLE.
 */
export async function findPaths(
  exchange: Exchange,
  { from, to, bases, router }: Search,
  readAll: ReadAll,
): Promise<Path[]> {
  const between = bases.filter((base) => base !== from && base !== to)
  const ways = [[from, to], ...between.map((base) => [from, base, to])]
  const pairs = new Map(ways.flatMap(getPairs).map((pair) => [pair.join(), pair]))
  const lookups = [...pairs.values()].flatMap((pair) => getLookups(exchange, pair))
  const [v2Factory, v3Factory, ...addresses] = (
    await readAll([
      { to: router, data: encodeFunctionData({ abi: routerAbi, functionName: 'factoryV2' }) },
      { to: router, data: encodeFunctionData({ abi: routerAbi, functionName: 'factory' }) },
      ...lookups.map(({ read }) => read),
    ])
  ).map(decodeAddress)
  const found = lookups.flatMap(({ pair: [first, second], fee, version, read }, index) => {
    const address = addresses[index]
    const isServed = read.to === (version === 'v2' ? v2Factory : v3Factory)
    return address && isServed ? [{ address, fee, first, second, version }] : []
  })
  const balances = await readAll(
    found.flatMap(({ address, first, second }) => [
      { to: first, data: balanceCall(address) },
      { to: second, data: balanceCall(address) },
    ]),
  )
  const pools = found.flatMap(({ version, ...pool }, index) => {
    const one = decodeUint(balances[index * 2])
    const other = decodeUint(balances[index * 2 + 1])
    if (!one || !other) return []
    return [{ version, pool: { ...pool, held: [String(one), String(other)] as const } }]
  })
  const getDeepest = (version: Path['version'], [a, b]: readonly [Hex, Hex]) =>
    pools
      .filter((one) => one.version === version && one.pool.first === a && one.pool.second === b)
      .map(({ pool }) => pool)
      .sort((one, other) => (BigInt(one.held[0]) > BigInt(other.held[0]) ? -1 : 1))
  return ways.flatMap((tokens) =>
    (['v2', 'v3'] as const).flatMap((version) => {
      const hops = getPairs(tokens).map((pair) => getDeepest(version, pair))
      if (hops.length === 1)
        return (hops[0] ?? [])
          .slice(0, maxDirectPools)
          .map((pool) => ({ version, tokens, pools: [pool] }))
      const deepest = hops.flatMap(([pool]) => pool ?? [])
      return deepest.length === hops.length ? [{ version, tokens, pools: deepest }] : []
    }),
  )
}

const getPairs = (way: readonly Hex[]) =>
  way.slice(1).map((paid, index) => sorted(way[index] ?? paid, paid))
const sorted = (a: Hex, b: Hex): readonly [Hex, Hex] => (a < b ? [a, b] : [b, a])

const balanceCall = (owner: Hex) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

function getLookups({ v2Factory, v3 }: Exchange, pair: readonly [Hex, Hex]) {
  const v2 = v2Factory && {
    version: 'v2' as const,
    pair,
    fee: v2Fee,
    read: { to: v2Factory, data: encodeFunctionData({ abi, functionName: 'getPair', args: pair }) },
  }
  const tiers = v3?.fees.map((fee) => ({
    version: 'v3' as const,
    pair,
    fee,
    read: {
      to: v3.factory,
      data: encodeFunctionData({ abi, functionName: 'getPool', args: [...pair, fee] }),
    },
  }))
  return [...(v2 ? [v2] : []), ...(tiers ?? [])]
}
