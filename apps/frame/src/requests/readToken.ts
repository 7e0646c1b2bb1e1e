import { bytesToHex, isError, nodesDisagreeCode } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { FrameChain } from '../chains.ts'
import type { ReadChain } from '../readChain.ts'
import { fromHex } from '../wallet/crypto/bytes.ts'
import { sanitizeName } from './sanitizeName.ts'

/**
 * A token's facts from our own RPC; a fact is undefined if the token does not provide it. Without
 * `decimals` it may not be a fungible token. `balance`: the account's balance.
 */
export type OnChainToken = {
  /** In quotes unless it `isPlain`, so that it cannot look like our own text. */
  symbol: string | undefined
  isPlain: boolean
  decimals: number | undefined
  balance: bigint | undefined
  supply: bigint | undefined
  /** Some facts may be missing because no node answered. */
  isUnread?: true
  /** Two nodes returned different facts. */
  isDisputed?: boolean
}

const selectors = {
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  supply: '0x18160ddd',
  balance: '0x70a08231',
} as const

type Context = {
  read: ReadChain
  chain: FrameChain
  account: Hex
  signal?: AbortSignal | undefined
}

/** Reads each token once. The map is keyed by address in lower case. */
export async function readOnChainTokens(
  context: Context,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<string, OnChainToken>> {
  const small = [...new Set(addresses.map((address) => address.toLowerCase() as Hex))]
  const read = small.map(async (one) => [one, await readToken(context, one)] as const)
  return new Map(await Promise.all(read))
}

async function readToken(
  { read, chain, account, signal }: Context,
  address: Hex,
): Promise<OnChainToken> {
  const failures: unknown[] = []
  const request = async (data: Hex) => {
    try {
      const answer = await read(chain, 'eth_call', [{ to: address, data }, 'latest'], signal)
      return typeof answer === 'string' && /^0x[0-9a-f]*$/i.test(answer) && answer.length < 4_000
        ? (answer as Hex)
        : '0x'
    } catch (error) {
      failures.push(error)
      return '0x'
    }
  }
  const [symbol, decimals, supply, balance] = await Promise.all([
    request(selectors.symbol),
    request(selectors.decimals),
    request(selectors.supply),
    request(`${selectors.balance}${account.slice(2).toLowerCase().padStart(64, '0')}`),
  ])
  const name = readSymbol(symbol)
  const isPlain = /^[\w$.+-]+$/.test(name ?? '')
  const places = readNumber(decimals)
  return {
    symbol: name === undefined || isPlain ? name : `“${name.replace(/[“”"]/g, '')}”`,
    isPlain,
    decimals: places !== undefined && places <= 77n ? Number(places) : undefined,
    supply: readNumber(supply),
    balance: readNumber(balance),
    ...(failures.some(hasNoAnswer) && { isUnread: true }),
    isDisputed: failures.some(isDisagreement),
  }
}

/**
 * Whether no node answered, as opposed to reporting that the call fails. A node that is rate
 * limited (-32005) or lacks the state of the block has not answered either.
 */
const hasNoAnswer = (error: unknown): boolean =>
  !isError(error, 'RPC_FAILED') || !failsItself(error.data)

const isDisagreement = (error: unknown): boolean =>
  isError(error, 'RPC_FAILED') && getCode(error.data) === nodesDisagreeCode

const getCode = ({ code }: { readonly reason: unknown; readonly code?: unknown }) => code

/** Matches the error messages of common nodes. */
const failsItself = (data: { readonly reason: string | number; readonly code?: unknown }) =>
  data.code === 3 || /revert|execution|opcode|out of ?gas|jump|stack/i.test(String(data.reason))

const readNumber = (data: Hex) => (data.length === 66 ? BigInt(data) : undefined)

// Some tokens return bytes32.
function readSymbol(data: Hex): string | undefined {
  try {
    const text = data.length === 66 ? fromBytes32(data) : fromString(data)
    return sanitizeName(text, 24) || undefined
  } catch {
    return undefined
  }
}

const fromBytes32 = (data: Hex) => {
  const bytes = fromHex(data)
  const end = bytes.indexOf(0)
  return new TextDecoder('utf-8', { fatal: true }).decode(end < 0 ? bytes : bytes.slice(0, end))
}

/** Decodes an ABI `string`; trailing data is ignored, as other wallets do. */
function fromString(data: Hex) {
  const bytes = fromHex(data)
  const readWord = (at: number) => Number(`0x${bytesToHex(bytes.subarray(at, at + 32))}`)
  const start = readWord(0)
  const end = start + 32 + readWord(start)
  if (!(end <= bytes.length)) throw new RangeError('end')
  return new TextDecoder().decode(bytes.subarray(start + 32, end))
}
