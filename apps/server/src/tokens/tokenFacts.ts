import type { ChainId } from '@latchkey/wire'
import { cleanText } from '@latchkey/wire'
import { hexToBytes } from 'viem/utils'
import * as z from 'zod'
import { zeroAddress } from '../evm/address.ts'
import { decodeString, decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import { type ContractRead, readContracts } from '../evm/readContracts.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { isSolanaChain } from '../solana/chain.ts'
import { readMintFacts } from '../solana/readMintFacts.ts'
import type { Token } from './token.ts'

type TokenFactsDeps = Pick<Services, 'kv' | 'log' | 'config' | 'clock'> & {
  readonly upstreams: Upstreams
}

/**
 * The name, symbol and decimals that a contract returns, sanitized; null if they are unusable.
 * Contracts can claim anything.
 */
export type TokenFacts = {
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
}

type Remembered = { readonly facts: TokenFacts; readonly untilMs: number }

/** Facts about contracts by address, without those that could not be read. Never throws. */
export type GetTokenFacts = <Address extends string>(
  chainId: ChainId,
  contracts: readonly Address[],
) => Promise<ReadonlyMap<Address, TokenFacts>>

const cacheSeconds = 86_400
/** Short, because a contract without a result may only have been out of the node's reach. */
const unreadSeconds = 600
const maxCached = 20_000
/**
 * The number of contracts in one call. Contracts are untrusted: one can make a whole call fail.
 * Mints only have data, which a call reads.
 */
const perCall = (chainId: ChainId) => (isSolanaChain(chainId) ? 100 : 20)
/**
 * The number of calls that are sent at once. The remaining contracts are read when they are
 * requested again.
 */
const maxCalls = 10
const maxName = 80
const maxSymbol = 40
const cachedFacts = z.object({
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  decimals: z.number().nullable(),
})

/**
 * Reads name, symbol and decimals from the chain, many contracts in one call, and remembers them
 * for a day.
 */
export function createTokenFacts(deps: TokenFactsDeps): GetTokenFacts {
  const { kv, clock, log } = deps
  const memories = new Map<string, Map<string, Remembered>>()
  const getMemory = (chainId: ChainId) => {
    const memory = memories.get(chainId) ?? new Map<string, Remembered>()
    memories.set(chainId, memory)
    return memory
  }
  const remember = (chainId: ChainId, contract: string, facts: TokenFacts) => {
    const ttlSeconds = isUnread(facts) ? unreadSeconds : cacheSeconds
    const memory = getMemory(chainId)
    if (memory.size >= maxCached) memory.delete(memory.keys().next().value ?? '')
    memory.set(contract, { facts, untilMs: clock() + ttlSeconds * 1000 })
    return ttlSeconds
  }
  const load = async (chainId: ChainId, contract: string): Promise<TokenFacts | undefined> => {
    const text = await kv.get(factsKey(chainId, contract))
    const facts = text === undefined ? undefined : cachedFacts.parse(JSON.parse(text))
    if (facts !== undefined) remember(chainId, contract, facts)
    return facts
  }
  const fill = async <Address extends string>(chainId: ChainId, contracts: readonly Address[]) => {
    const read = await readFacts(deps, { chainId, contracts }).catch((error: unknown) => {
      log.warn({ err: error, chain: chainId }, 'token facts not read')
      return undefined
    })
    const entries = contracts.flatMap((contract, index) => {
      const facts = read?.[index]
      return facts === undefined ? [] : [[contract, facts] as const]
    })
    await Promise.all(
      entries.map(([contract, facts]) => {
        const ttlSeconds = remember(chainId, contract, facts)
        return kv.set(factsKey(chainId, contract), JSON.stringify(facts), ttlSeconds)
      }),
    )
    return entries
  }
  return async <Address extends string>(chainId: ChainId, contracts: readonly Address[]) => {
    const found = new Map<Address, TokenFacts>()
    const forgotten = new Set<Address>()
    const memory = getMemory(chainId)
    const nowMs = clock()
    for (const contract of contracts) {
      const known = memory.get(contract)
      if (known === undefined || known.untilMs <= nowMs) forgotten.add(contract)
      else found.set(contract, known.facts)
    }
    if (forgotten.size === 0) return found
    const missing: Address[] = []
    const loads = [...forgotten].map(async (contract) => {
      const facts = await load(chainId, contract)
      if (facts === undefined) missing.push(contract)
      else found.set(contract, facts)
    })
    await Promise.all(loads)
    const size = perCall(chainId)
    const parts: Address[][] = []
    for (let start = 0; start < Math.min(missing.length, size * maxCalls); start += size)
      parts.push(missing.slice(start, start + size))
    const read = await Promise.all(parts.map((part) => fill(chainId, part)))
    for (const [contract, facts] of read.flat()) found.set(contract, facts)
    return found
  }
}

/** The token that the facts describe; undefined if it is not fungible. */
export function toToken(address: string, facts: TokenFacts | undefined): Token | undefined {
  const { name = null, symbol = null, decimals = null } = facts ?? {}
  if (symbol === null || decimals === null || decimals > maxDecimals) return undefined
  return { address, name: name ?? symbol, symbol, decimals }
}

const maxDecimals = 36
const factsKey = (chainId: ChainId, contract: string) => `token:${chainId}:${contract}`
const isUnread = ({ name, symbol, decimals }: TokenFacts) =>
  name === null && symbol === null && decimals === null

const selectors = ['0x06fdde03', '0x95d89b41', '0x313ce567'] as const // name(), symbol(), decimals()

type Reading = { readonly chainId: ChainId; readonly contracts: readonly string[] }

async function readFacts(
  deps: TokenFactsDeps,
  { chainId, contracts }: Reading,
): Promise<TokenFacts[]> {
  const read = isSolanaChain(chainId)
    ? await readMintFacts({ ...deps, chainId }, contracts)
    : await readContractFacts(deps, { chainId, contracts })
  return read.map(({ name, symbol, decimals }) => ({
    name: cleanText(name ?? '', { maxLength: maxName }),
    symbol: cleanText(symbol ?? '', { maxLength: maxSymbol }),
    decimals,
  }))
}

async function readContractFacts(
  { config, upstreams }: TokenFactsDeps,
  { chainId, contracts }: Reading,
): Promise<TokenFacts[]> {
  const multicall3 = config.chains[chainId]?.multicall3 as Hex | undefined
  const reads: ContractRead[] = contracts.flatMap((to) =>
    selectors.map((data) => ({ to: to as Hex, data })),
  )
  // The balance of the zero address distinguishes an unavailable node from contracts that make
  // every call fail.
  const all = await readContracts({ upstreams, chainId, multicall3 }, [
    { balanceOf: zeroAddress },
    ...reads,
  ])
  const results = all.slice(1)
  return contracts.map((_, index) => {
    const [name, symbol, decimals] = results.slice(index * 3, index * 3 + 3)
    return {
      name: readText(name),
      symbol: readText(symbol),
      decimals: smallNumber(decodeUint(decimals)),
    }
  })
}

const smallNumber = (value: bigint | undefined) =>
  value === undefined || value > 77n ? null : Number(value)

/** A `string` as a contract returned it, or a `bytes32` as the oldest tokens do. */
function readText(data: Hex | undefined): string {
  if (data === undefined || data.length > 20_000) return ''
  if (data.length !== 66) return decodeString(data) ?? ''
  try {
    return new TextDecoder().decode(hexToBytes(data)).replace(/\0+$/, '')
  } catch {
    return ''
  }
}
