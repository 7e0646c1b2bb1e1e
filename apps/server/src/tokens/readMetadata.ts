import type { ChainId } from '@latchkey/wire'
import { decodeFunctionResult, encodeFunctionData, hexToString, parseAbi } from 'viem/utils'
import { type Read, readMany } from '../balance/readMany.ts'
import { readUint } from '../balance/readUint.ts'
import type { Upstreams } from '../rpc/upstreams.ts'
import type { Services } from '../services.ts'
import type { Token } from './token.ts'

type Hex = `0x${string}`
type Needs = Pick<Services, 'kv' | 'log' | 'config'> & { readonly upstreams: Upstreams }

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address) view returns (uint256)',
])
const knownSeconds = 86_400
const refusedSeconds = 3_600
/** Of contracts that nobody has vouched for few are read together: one of them can spoil a whole call. */
const perCall = 20
const longestName = 80
const longestSymbol = 40

/**
 * What contracts say of themselves as ERC-20 tokens, kept for a day; those that are none, or lie so that no sense comes of
 * it, are left out and not asked again for an hour. Throws RPC_UNAVAILABLE when no upstream answers anything.
 */
export async function readMetadata(
  needs: Needs,
  { chainId, addresses }: { readonly chainId: ChainId; readonly addresses: readonly Hex[] },
): Promise<Map<Hex, Token>> {
  const { kv } = needs
  const keyOf = (address: Hex) => `token:${chainId}:${address}`
  const known = await Promise.all(addresses.map((address) => kv.get(keyOf(address))))
  const tokens = new Map<Hex, Token>()
  const unknown: Hex[] = []
  for (const [index, address] of addresses.entries()) {
    const text = known[index]
    if (text === undefined) unknown.push(address)
    else if (text !== 'none') tokens.set(address, JSON.parse(text))
  }
  for (let start = 0; start < unknown.length; start += perCall) {
    const part = unknown.slice(start, start + perCall)
    const found = await readPart(needs, { chainId, addresses: part })
    for (const address of part) {
      const token = found.get(address)
      if (token !== undefined) tokens.set(address, token)
      await kv.set(
        keyOf(address),
        token === undefined ? 'none' : JSON.stringify(token),
        token === undefined ? refusedSeconds : knownSeconds,
      )
    }
  }
  return tokens
}

async function readPart(
  { upstreams, config }: Needs,
  { chainId, addresses }: { readonly chainId: ChainId; readonly addresses: readonly Hex[] },
): Promise<Map<Hex, Token>> {
  const multicall3 = config.chains[chainId]?.multicall3 as Hex | undefined
  const answers = await readMany({ upstreams, chainId, multicall3 }, addresses.flatMap(readsOf))
  const tokens = addresses.flatMap((address, index) => {
    const [name, symbol, decimals, balance] = answers.slice(index * 4, index * 4 + 4)
    const token = {
      address,
      name: textOf('name', name)?.slice(0, longestName) ?? '',
      symbol: textOf('symbol', symbol) ?? '',
      decimals: Number(readUint(decimals) ?? -1n),
    }
    const sensible =
      token.symbol !== '' &&
      token.symbol.length <= longestSymbol &&
      token.decimals >= 0 &&
      token.decimals <= 36 &&
      readUint(balance) !== undefined
    return sensible ? [[address, { ...token, name: token.name || token.symbol }] as const] : []
  })
  return new Map(tokens)
}

const readsOf = (to: Hex): Read[] => [
  { to, data: encodeFunctionData({ abi, functionName: 'name' }) },
  { to, data: encodeFunctionData({ abi, functionName: 'symbol' }) },
  { to, data: encodeFunctionData({ abi, functionName: 'decimals' }) },
  { to, data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [to] }) },
]

/** A string as contracts return it, old ones as 32 bytes, without what cannot be seen. */
function textOf(functionName: 'name' | 'symbol', data: Hex | undefined): string | undefined {
  if (data === undefined || data.length > 4_096) return undefined
  try {
    const text =
      data.length === 66
        ? hexToString(data).replace(/\0+$/, '')
        : decodeFunctionResult({ abi, functionName, data })
    return cleaned(text)
  } catch {
    return undefined
  }
}

// Control, format (zero-width, direction) and private characters, and lone surrogates.
const cleaned = (text: string) =>
  text
    .replace(/[\p{C}\u2800]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
