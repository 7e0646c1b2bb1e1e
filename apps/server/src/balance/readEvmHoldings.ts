import { encodeFunctionData } from 'viem/utils'
import { erc20Abi } from '../evm/abi.ts'
import { nativeAddress } from '../evm/address.ts'
import { decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import { type ContractRead, readContracts } from '../evm/readContracts.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Quote } from '../prices/price.ts'
import { isSpamToken } from '../tokens/spam.ts'
import type { Token } from '../tokens/token.ts'
import { toToken } from '../tokens/tokenFacts.ts'
import type { BalanceSources, Holding, HoldingsQuery, ReadHoldings } from './holding.ts'

const maxDiscovered = 200
/** Unlisted tokens are untrusted, and the request waits for them. */
const unlistedSearches = 16

/**
 * Reads from the chain the native balance and the balances of all listed tokens and of the tokens
 * that the account itself received, including zero balances. Only held or forced tokens get a
 * price. Unlisted tokens have no price unless forced, because anyone can create a token, a pool and
 * a price. Tokens that revert or do not return exactly one number are omitted. `isComplete`:
 * nothing is missing because a read failed. Throws RPC_UNAVAILABLE.
 */
export async function readEvmHoldings(
  sources: BalanceSources,
  query: HoldingsQuery,
): Promise<ReadHoldings> {
  const evmQuery = query as EvmQuery
  const { config, getTokens, readPrices } = sources
  const { chainId, forced } = evmQuery
  const chain = config.chains[chainId]
  if (chain === undefined) return { holdings: [], isComplete: true }
  const listed = await getTokens(chainId)
  const [amounts, others] = await Promise.all([
    readAmounts(sources, { ...evmQuery, tokens: listed, native: [nativeRead(evmQuery)] }),
    readUnlisted(sources, evmQuery),
  ])
  // No contract can make this read fail: if it is missing, the node has not answered at all.
  if (amounts[0] === undefined) throw rpcUnavailable(chainId)
  const holdings: UnpricedHolding[] = []
  const priced: { readonly key: Hex; readonly holding: UnpricedHolding }[] = []
  const add = (asset: Asset, amount: bigint | undefined, trusted: boolean) => {
    if (amount === undefined) return
    const { name, symbol, decimals, address } = asset
    const holding: UnpricedHolding = { name, symbol, decimals, address, amount, quote: undefined }
    holdings.push(holding)
    const key = (address?.toLowerCase() ?? nativeAddress) as Hex
    if (key === nativeAddress || (trusted && amount > 0n) || forced.includes(key))
      priced.push({ key, holding })
  }
  add({ ...chain.nativeCurrency, address: undefined }, amounts[0], true)
  for (const [index, token] of listed.entries()) add(token, amounts[index + 1], true)
  for (const [index, token] of others.tokens.entries()) add(token, others.amounts[index], false)
  const cache = forced.length > 0 ? 'pass' : 'use'
  const prices = await readPrices({ chainId, tokens: priced.map(({ key }) => key), cache })
  for (const [index, { holding }] of priced.entries()) holding.quote = prices[index]
  return { holdings, isComplete: others.isComplete }
}

/** Addresses are EVM addresses in lower case. */
type EvmQuery = HoldingsQuery & { readonly owner: Hex; readonly forced: readonly Hex[] }

type Asset = Omit<Token, 'address'> & { readonly address: string | undefined }
type UnpricedHolding = Omit<Holding, 'quote'> & { quote: Quote | undefined }

/**
 * Unlisted tokens with their amounts. They are read separately, so that their failure does not
 * affect the listed tokens.
 */
async function readUnlisted(
  sources: BalanceSources,
  evmQuery: EvmQuery,
): Promise<UnlistedHoldings> {
  const found = await discover(sources, evmQuery)
  const { tokens, ...extra } = await selectUnlisted(sources, { ...evmQuery, found: found ?? [] })
  const isComplete = extra.isComplete && found !== undefined
  if (tokens.length === 0) return { tokens, amounts: [], isComplete }
  const native = [nativeRead(evmQuery)]
  const reading = readAmounts(sources, { ...evmQuery, tokens, native, searches: unlistedSearches })
  const amounts = await reading.catch(() => undefined)
  if (amounts === undefined) return { tokens, amounts: [], isComplete: false }
  return { tokens, amounts: amounts.slice(1), isComplete }
}

type UnlistedHoldings = {
  readonly tokens: readonly Token[]
  readonly amounts: readonly (bigint | undefined)[]
  readonly isComplete: boolean
}

/**
 * Contracts whose tokens the account received, or undefined if that is unknown. The account is
 * followed from now on.
 */
async function discover(
  { activity, log }: BalanceSources,
  { owner, chainId }: EvmQuery,
): Promise<readonly Hex[] | undefined> {
  if (activity === undefined) return []
  const account = { chainId, address: owner }
  try {
    const following = activity.follow(account)
    following.catch((error: unknown) => log.warn({ err: error, chain: chainId }, 'not followed'))
    return await activity.readTokens(account, maxDiscovered)
  } catch (error) {
    log.warn({ err: error, chain: chainId }, 'tokens not discovered')
    return undefined
  }
}

type Extra = EvmQuery & { readonly found: readonly Hex[] }

/** Unlisted tokens: forced tokens, and discovered tokens that are not spam. */
async function selectUnlisted(
  { getListed, getFacts }: BalanceSources,
  { chainId, found, forced }: Extra,
): Promise<Pick<UnlistedHoldings, 'tokens' | 'isComplete'>> {
  const { tokens, knownNames } = await getListed(chainId)
  const addresses = [...new Set([...forced, ...found])].filter(
    (address) => address !== nativeAddress && !tokens.has(address),
  )
  if (addresses.length === 0) return { tokens: [], isComplete: true }
  const facts = await getFacts(chainId, addresses)
  const isSpam = ({ name, symbol }: Token) =>
    isSpamToken({ name, symbol, amount: 1n, listed: false, ownAct: false, knownNames })
  const selected = addresses.flatMap((address) => {
    const token = toToken(address, facts.get(address))
    return token && (forced.includes(address) || !isSpam(token)) ? [token] : []
  })
  return { tokens: selected, isComplete: addresses.every((address) => facts.has(address)) }
}

type Amounts = EvmQuery & {
  readonly tokens: readonly Token[]
  readonly native: readonly ContractRead[]
  readonly searches?: number
}

async function readAmounts(
  { upstreams, config }: BalanceSources,
  { owner, chainId, tokens, native, searches }: Amounts,
): Promise<(bigint | undefined)[]> {
  const multicall3 = config.chains[chainId]?.multicall3 as Hex | undefined
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  const reads = [...native, ...tokens.map(({ address }) => ({ to: address as Hex, data }))]
  const source = { upstreams, chainId, multicall3, ...(searches !== undefined && { searches }) }
  const answers = await readContracts(source, reads)
  return answers.map((answer, index) =>
    index < native.length ? readNative(answer) : decodeUint(answer),
  )
}

const nativeRead = ({ owner }: EvmQuery): ContractRead => ({ balanceOf: owner })

// `eth_getBalance`, used if a chain has no Multicall3, returns a number without leading zeros.
const readNative = (data: Hex | undefined) =>
  data !== undefined && /^0x[0-9a-f]{1,64}$/i.test(data) ? BigInt(data) : undefined
