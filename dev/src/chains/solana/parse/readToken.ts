import { getBase58Decoder } from '@solana/kit'
import { programs } from '../definition.ts'

/** A token account of either token program. */
export type TokenAccount = {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly delegate: string | undefined
  readonly delegatedAmount: bigint
  readonly state: 'initialized' | 'frozen'
  readonly nativeReserve: bigint | undefined
  readonly closeAuthority: string | undefined
  readonly extensions: readonly Extension[]
}

/** The data of a token's mint. */
export type Mint = {
  readonly mintAuthority: string | undefined
  readonly supply: bigint
  readonly decimals: number
  readonly freezeAuthority: string | undefined
  readonly extensions: readonly Extension[]
}

/** An extension of Token-2022 with its JSON-RPC name. */
type Extension = { readonly extension: string; readonly state?: unknown }

const accountSize = 165
const mintSize = 82

/** Whether a program is a token program. */
export const isTokenProgram = (address: string): boolean =>
  address === programs.token || address === programs.token2022

/** Reads a token account's data; undefined for a mint, or an account that is not initialized. */
export function readTokenAccount(bytes: Uint8Array): TokenAccount | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isAccount =
    data.length === accountSize || (data.length > accountSize && data[accountSize] === 2)
  const state = data[108]
  if (!isAccount || (state !== 1 && state !== 2)) return undefined
  return {
    mint: readAddress(data, 0),
    owner: readAddress(data, 32),
    amount: data.readBigUInt64LE(64),
    delegate: readOption(data, 72),
    state: state === 1 ? 'initialized' : 'frozen',
    nativeReserve: data.readUInt32LE(109) === 1 ? data.readBigUInt64LE(113) : undefined,
    delegatedAmount: data.readBigUInt64LE(121),
    closeAuthority: readOption(data, 129),
    extensions: readExtensions(data),
  }
}

/** Reads a mint's data; undefined for anything else. */
export function readMint(bytes: Uint8Array): Mint | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isMint = data.length === mintSize || (data.length > accountSize && data[accountSize] === 1)
  if (!isMint || data[45] !== 1) return undefined
  return {
    mintAuthority: readOption(data, 0),
    supply: data.readBigUInt64LE(36),
    decimals: data.readUInt8(44),
    freezeAuthority: readOption(data, 46),
    extensions: readExtensions(data),
  }
}

/** An amount in the form of JSON-RPC. */
export function toUiAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const uiAmountString = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

/** The 32 bytes at `at` as an address. */
export const readAddress = (data: Uint8Array, at: number): string =>
  getBase58Decoder().decode(data.subarray(at, at + 32))

const readOption = (data: Buffer, at: number) =>
  data.readUInt32LE(at) === 1 ? readAddress(data, at + 4) : undefined

function readExtensions(data: Buffer): Extension[] {
  const found: Extension[] = []
  let at = accountSize + 1
  while (at + 4 <= data.length) {
    const type = data.readUInt16LE(at)
    const length = data.readUInt16LE(at + 2)
    if (type === 0 || at + 4 + length > data.length) break
    found.push(readExtension(type, data.subarray(at + 4, at + 4 + length)))
    at += 4 + length
  }
  return found
}

function readExtension(type: number, data: Buffer): Extension {
  const known = extensions[type]
  if (!known) return { extension: 'unparseableExtension' }
  const [extension, read] = known
  return read ? { extension, state: read(data) } : { extension }
}

const extensions: Record<number, readonly [name: string, read?: (data: Buffer) => unknown]> = {
  1: [
    'transferFeeConfig',
    (data) => ({
      transferFeeConfigAuthority: readNullable(data, 0),
      withdrawWithheldAuthority: readNullable(data, 32),
      withheldAmount: data.readBigUInt64LE(64),
      olderTransferFee: readTransferFee(data, 72),
      newerTransferFee: readTransferFee(data, 90),
    }),
  ],
  2: ['transferFeeAmount', (data) => ({ withheldAmount: data.readBigUInt64LE(0) })],
  3: ['mintCloseAuthority', (data) => ({ closeAuthority: readNullable(data, 0) })],
  7: ['immutableOwner'],
  8: ['memoTransfer', (data) => ({ requireIncomingTransferMemos: data[0] === 1 })],
  9: ['nonTransferable'],
  12: ['permanentDelegate', (data) => ({ delegate: readNullable(data, 0) })],
  13: ['nonTransferableAccount'],
  14: [
    'transferHook',
    (data) => ({ authority: readNullable(data, 0), programId: readNullable(data, 32) }),
  ],
  18: [
    'metadataPointer',
    (data) => ({ authority: readNullable(data, 0), metadataAddress: readNullable(data, 32) }),
  ],
  19: ['tokenMetadata', readMetadata],
}

const readTransferFee = (data: Buffer, at: number) => ({
  epoch: data.readBigUInt64LE(at),
  maximumFee: data.readBigUInt64LE(at + 8),
  transferFeeBasisPoints: data.readUInt16LE(at + 16),
})

const readNullable = (data: Buffer, at: number) =>
  data.subarray(at, at + 32).every((byte) => byte === 0) ? null : readAddress(data, at)

function readMetadata(data: Buffer) {
  let at = 64
  const text = () => {
    const length = data.readUInt32LE(at)
    at += 4 + length
    return data.toString('utf8', at - length, at)
  }
  const [name, symbol, uri] = [text(), text(), text()]
  const count = data.readUInt32LE(at)
  at += 4
  const additionalMetadata = Array.from({ length: count }, () => [text(), text()])
  return {
    updateAuthority: readNullable(data, 0),
    mint: readAddress(data, 32),
    ...{ name, symbol, uri, additionalMetadata },
  }
}
