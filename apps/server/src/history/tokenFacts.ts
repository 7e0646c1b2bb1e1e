import type { ChainId } from '@latchkey/wire'
import { decodeAbiParameters, hexToBytes } from 'viem/utils'
import * as z from 'zod'
import { type Read, readMany } from '../balance/readMany.ts'
import { readUint } from '../balance/readUint.ts'
import type { Upstreams } from '../rpc/upstreams.ts'
import type { Services } from '../services.ts'

type Hex = `0x${string}`
type Needs = Pick<Services, 'kv' | 'log' | 'config' | 'clock'>

/** What a contract says of itself, cleaned; null where it says nothing usable. Anybody can say anything. */
export type TokenFacts = {
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
}

/** Facts of the contracts of a chain by address; every one asked for is there. Never throws: what cannot be read is null. */
type TokenFactsOf = (
  chainId: ChainId,
  contracts: readonly Hex[],
) => Promise<ReadonlyMap<Hex, TokenFacts>>

const keptSeconds = 7 * 24 * 60 * 60
/** A contract that says nothing may be one that the node did not get to. */
const unreadSeconds = 600
const mostKept = 20_000
const nameLength = 80
const symbolLength = 40
const unknown: TokenFacts = { name: null, symbol: null, decimals: null }
const kept = z.object({
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  decimals: z.number().nullable(),
})

/** Reads name, symbol and decimals from the chain, many contracts in one call, and remembers them. */
export function rememberTokenFacts(services: Needs, upstreams: Upstreams): TokenFactsOf {
  const memory = new Map<string, { readonly facts: TokenFacts; readonly untilMs: number }>()
  const remember = (key: string, facts: TokenFacts) => {
    const ttlSeconds = isUnread(facts) ? unreadSeconds : keptSeconds
    if (memory.size >= mostKept) memory.delete(memory.keys().next().value ?? '')
    memory.set(key, { facts, untilMs: services.clock() + ttlSeconds * 1000 })
    return ttlSeconds
  }
  const recall = async (key: string): Promise<TokenFacts | undefined> => {
    const known = memory.get(key)
    if (known !== undefined && known.untilMs > services.clock()) return known.facts
    const text = await services.kv.get(key).catch(() => undefined)
    const facts = text === undefined ? undefined : kept.parse(JSON.parse(text))
    if (facts !== undefined) remember(key, facts)
    return facts
  }
  return async (chainId, contracts) => {
    const keyOf = (contract: Hex) => `token-facts:${chainId}:${contract}`
    const wanted = [...new Set(contracts)]
    const found = new Map<Hex, TokenFacts>()
    const recalled = await Promise.all(wanted.map((contract) => recall(keyOf(contract))))
    const missing = wanted.filter((contract, index) => {
      const facts = recalled[index]
      if (facts !== undefined) found.set(contract, facts)
      return facts === undefined
    })
    if (missing.length === 0) return found
    const read = await readFacts(services, { upstreams, chainId, contracts: missing })
    for (const [index, contract] of missing.entries()) {
      const facts = read?.[index]
      found.set(contract, facts ?? unknown)
      // A chain that is away has said nothing about the contract.
      if (facts === undefined) continue
      const ttlSeconds = remember(keyOf(contract), facts)
      await services.kv.set(keyOf(contract), JSON.stringify(facts), ttlSeconds).catch(() => {})
    }
    return found
  }
}

const isUnread = ({ name, symbol, decimals }: TokenFacts) =>
  name === null && symbol === null && decimals === null

const selectors = ['0x06fdde03', '0x95d89b41', '0x313ce567'] as const // name(), symbol(), decimals()

type Reading = {
  readonly upstreams: Upstreams
  readonly chainId: ChainId
  readonly contracts: readonly Hex[]
}

async function readFacts(
  { config, log }: Needs,
  { upstreams, chainId, contracts }: Reading,
): Promise<TokenFacts[] | undefined> {
  const multicall3 = config.chains[chainId]?.multicall3 as Hex | undefined
  const reads: Read[] = contracts.flatMap((to) => selectors.map((data) => ({ to, data })))
  try {
    const results = await readMany({ upstreams, chainId, multicall3 }, reads)
    return contracts.map((_, index) => {
      const [name, symbol, decimals] = results.slice(index * 3, index * 3 + 3)
      return {
        name: cleanText(readText(name), nameLength),
        symbol: cleanText(readText(symbol), symbolLength),
        decimals: smallNumber(readUint(decimals)),
      }
    })
  } catch (error) {
    log.warn({ err: error, chain: chainId }, 'token facts not read')
    return undefined
  }
}

const smallNumber = (value: bigint | undefined) =>
  value === undefined || value > 77n ? null : Number(value)

/** A `string` as a contract returned it, or a `bytes32` as the oldest tokens do. */
function readText(data: Hex | undefined): string | undefined {
  if (data === undefined || data.length > 20_000) return undefined
  try {
    if (data.length === 66) return new TextDecoder().decode(hexToBytes(data)).replace(/\0+$/, '')
    return decodeAbiParameters([{ type: 'string' }], data)[0]
  } catch {
    return undefined
  }
}

/** A text for a person: one line, bounded, without marks that are not seen or turn the writing round; null when empty. */
function cleanText(text: string | undefined, length: number): string | null {
  const seen = (text ?? '')
    .replace(/\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Zl}|\p{Zp}|\uFFFD/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return seen === '' ? null : [...seen].slice(0, length).join('')
}
