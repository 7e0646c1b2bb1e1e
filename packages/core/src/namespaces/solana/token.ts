import type { Address } from '@solana/kit'
import { getAddressDecoder } from '@solana/kit'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { type AccountData, invalidResponse, nodeRefused } from './nodeResponses.ts'

/** The program of tokens with extensions. */
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address
export const tokenPrograms: readonly Address[] = [TOKEN_PROGRAM_ADDRESS, token2022]

/** Numbers of Token-2022's extensions that matter to a transfer. */
export const extension = {
  transferFee: 1,
  defaultState: 6,
  memoRequired: 8,
  nonTransferable: 9,
  permanentDelegate: 12,
  transferHook: 14,
  pausable: 26,
} as const

/** Bytes at a place, by the number of the extension. */
type Extensions = ReadonlyMap<number, Uint8Array>

export type Mint = {
  address: Address
  program: Address
  decimals: number
  extensions: Extensions
}

export type ParsedTokenAccount = {
  address: Address
  mint: Address
  owner: Address
  amount: bigint
  isFrozen: boolean
  extensions: Extensions
}

const mintBytes = 82
const accountBytes = 165
/**
 * The byte after the first 165 names the type of an account with extensions: 1 is a mint, 2 an
 * account.
 */
const mintType = 1
const accountType = 2

/** Whether an account holds a token, a mint, or neither. */
export function getTokenKind({ owner, data }: AccountData): 'mint' | 'account' | undefined {
  if (!tokenPrograms.includes(owner)) return undefined
  const type = data[accountBytes]
  if (data.length === mintBytes || type === mintType) return 'mint'
  return data.length === accountBytes || type === accountType ? 'account' : undefined
}

/** Parses the mint at an address. Throws TRANSFER_REFUSED if the account is not a mint. */
export function toMint(address: Address, account: AccountData | undefined): Mint {
  if (!account || getTokenKind(account) !== 'mint' || account.data[45] !== 1)
    throw nodeRefused('The network does not know this token')
  const { owner: program, data } = account
  return { address, program, decimals: data[44] ?? 0, extensions: readExtensions(data) }
}

/** Parses the token account at an address. Throws ANSWER_INVALID for anything else. */
export function toTokenAccount(address: Address, account: AccountData): ParsedTokenAccount {
  const { data } = account
  if (getTokenKind(account) !== 'account') throw invalidResponse()
  return {
    address,
    mint: readAddressAt(data, 0),
    owner: readAddressAt(data, 32),
    amount: readCount(data, 64),
    isFrozen: data[108] === 2,
    extensions: readExtensions(data),
  }
}

/** The address at an offset. */
export const readAddressAt = (data: Uint8Array, offset: number): Address =>
  getAddressDecoder().decode(data, offset)

/** The 64-bit count at an offset. */
const readCount = (data: Uint8Array, offset: number): bigint =>
  view(data).getBigUint64(offset, true)

/** The fee of a transfer in an epoch, in the token's smallest unit, from the mint's extension. */
export function getTransferFee({ extensions }: Mint, amount: bigint, epoch: bigint): bigint {
  const config = extensions.get(extension.transferFee)
  if (!config || config.length < 108) return 0n
  // Two authorities and the withheld amount come first; each fee is an epoch, the highest fee and
  // basis points.
  const [older, newer] = [72, 90]
  const offset = epoch >= readCount(config, newer) ? newer : older
  const highest = readCount(config, offset + 8)
  const points = BigInt(view(config).getUint16(offset + 16, true))
  return smaller((amount * points + 9_999n) / 10_000n, highest)
}

/**
 * The size of the associated account of a mint: the extensions that the mint requires follow the
 * account.
 */
export function getAccountSize({ program, extensions }: Mint): bigint {
  if (program !== token2022) return BigInt(accountBytes)
  const header = 4
  // An associated account never changes its owner, which is an extension without bytes.
  let size = accountBytes + 1 + header
  if (extensions.has(extension.transferFee)) size += header + 8
  if (extensions.has(extension.transferHook)) size += header + 1
  if (extensions.has(extension.pausable)) size += header
  return BigInt(size)
}

function readExtensions(data: Uint8Array): Extensions {
  const found = new Map<number, Uint8Array>()
  for (let at = accountBytes + 1; at + 4 <= data.length; ) {
    const type = view(data).getUint16(at, true)
    const length = view(data).getUint16(at + 2, true)
    if (type === 0) break
    if (at + 4 + length > data.length) throw invalidResponse()
    found.set(type, data.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return found
}

/** Math.min takes no bigints. */
export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

const view = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength)
