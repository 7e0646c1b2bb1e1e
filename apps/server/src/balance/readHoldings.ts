import type { ChainId } from '@latchkey/wire'
import { encodeFunctionData } from 'viem/utils'
import type { ChainConfig } from '../config.ts'
import type { Upstreams } from '../rpc/upstreams.ts'
import { erc20Abi } from './abi.ts'
import {
  type Exchange,
  exchangeOf,
  type Price,
  poolAddress,
  poolPrice,
  poolReads,
  priceScale,
  readDecimals,
  reservesRead,
} from './prices.ts'
import { type Read, readMany } from './readMany.ts'
import type { Token } from './readTokens.ts'
import { readUint } from './readUint.ts'

type Hex = `0x${string}`

/** What an address holds of one asset; `address` is absent for the native one, `price` where no pool gives one. */
export type Holding = {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly address: Hex | undefined
  readonly amount: bigint
  readonly price: Price | undefined
}

type Params = {
  readonly upstreams: Upstreams
  readonly chainId: ChainId
  readonly chain: ChainConfig
  readonly tokens: readonly Token[]
  readonly owner: Hex
}

/**
 * The native balance and every listed token's, zero ones included, with prices in US dollars, from the chain itself in
 * two upstream calls. A token that reverts or answers anything but one number is left out. Throws RPC_UNAVAILABLE.
 */
export async function readHoldings(params: Params): Promise<Holding[]> {
  const { upstreams, chainId, chain, tokens, owner } = params
  const source = { upstreams, chainId, multicall3: chain.multicall3 as Hex | undefined }
  const exchange = exchangeOf(chain)
  const addresses = tokens.map(({ address }) => address)
  const balances: Read[] = [{ nativeOf: owner }, ...addresses.map((to) => balanceRead(to, owner))]
  const pools = exchange ? poolReads(exchange, addresses) : []
  const first = await readMany(source, [...balances, ...pools])
  const amounts = first.slice(0, balances.length).map(readUintOrNative)
  const read = (reads: readonly Read[]) => readMany(source, reads)
  const found = first.slice(balances.length)
  const prices = exchange && (await readPrices(params, { exchange, found, amounts, read }))
  const { name, symbol, decimals } = chain.nativeCurrency
  const native = { name, symbol, decimals, address: undefined }
  return [native, ...tokens].flatMap((asset, index) => {
    const amount = amounts[index]
    return amount === undefined ? [] : [{ ...asset, amount, price: prices?.[index] }]
  })
}

const balanceRead = (to: Hex, owner: Hex): Read => ({
  to,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
})

// `eth_getBalance`, used where a chain has no Multicall3, gives a number without leading zeros.
const readUintOrNative = (data: Hex | undefined, index: number) =>
  index === 0 && data !== undefined && /^0x[0-9a-f]{1,64}$/i.test(data)
    ? BigInt(data)
    : readUint(data)

type Found = {
  readonly exchange: Exchange
  readonly found: readonly (Hex | undefined)[]
  readonly amounts: readonly (bigint | undefined)[]
  readonly read: (reads: readonly Read[]) => Promise<(Hex | undefined)[]>
}

/** Prices in the order native, tokens; only of what is held. */
async function readPrices(
  { chain, tokens }: Params,
  { exchange, found, amounts, read }: Found,
): Promise<(Price | undefined)[]> {
  const [usdDecimalsData, nativePoolData, ...tokenPools] = found
  const usdDecimals = readDecimals(usdDecimalsData)
  const nativePool = poolAddress(nativePoolData)
  if (usdDecimals === undefined || nativePool === undefined) return []
  const held = tokens.map((_, index) =>
    (amounts[index + 1] ?? 0n) > 0n ? poolAddress(tokenPools[index]) : undefined,
  )
  const wanted = [nativePool, ...held.filter((pool) => pool !== undefined)]
  const [nativeReserves, ...reserves] = await read(wanted.map(reservesRead))
  const wrapped = { address: exchange.wrappedNative, decimals: chain.nativeCurrency.decimals }
  const usd = { address: exchange.usd, decimals: usdDecimals }
  const nativePrice = poolPrice(nativeReserves, {
    token: wrapped,
    paid: usd,
    paidPrice: priceScale,
  })
  const prices = held.map((pool, index) => {
    const token = tokens[index]
    if (token === undefined) return undefined
    const reserve = pool === undefined ? undefined : reserves.shift()
    // The dollar token is what prices are counted in, the wrapped native token is the native one.
    if (sameAddress(token.address, usd.address)) return priceScale
    if (sameAddress(token.address, wrapped.address)) return nativePrice
    return poolPrice(reserve, { token, paid: wrapped, paidPrice: nativePrice })
  })
  return [nativePrice, ...prices]
}

const sameAddress = (a: Hex, b: Hex) => a.toLowerCase() === b.toLowerCase()
