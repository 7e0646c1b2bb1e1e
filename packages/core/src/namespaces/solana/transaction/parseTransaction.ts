import { encodeBase58 } from '@latchkey/wire'

/** A transaction on the wire: signatures and the message that they sign. */
export type SignedTransaction = {
  /** Offset of the first signature. */
  signaturesAt: number
  /** 64 bytes each, zeros where a signer has not signed yet. */
  signatures: readonly Uint8Array[]
  /** Addresses that have to sign, the one that pays the fee first. */
  signers: readonly string[]
  message: Uint8Array
}

/** An instruction with its accounts as `address:flags`, or as the place in a lookup table. */
export type Instruction = { program: string; accounts: readonly string[]; data: Uint8Array }

/** What a message says, legacy or of version 0. */
export type Message = {
  version: 'legacy' | 0
  signers: readonly string[]
  blockhash: string
  instructions: readonly Instruction[]
}

/** Reads a serialized transaction; undefined if it is not one. */
export function parseTransaction(bytes: Uint8Array): SignedTransaction | undefined {
  try {
    const reader = createReader(bytes)
    const count = reader.length()
    const signaturesAt = reader.at()
    const signatures = Array.from({ length: count }, () => reader.take(64))
    const message = bytes.slice(reader.at())
    const { signers } = parseMessage(message)
    if (signers.length !== count) return undefined
    return { signaturesAt, signatures, signers, message }
  } catch {
    return undefined
  }
}

/** Reads a message to its last byte. Throws a TypeError if it is not one. */
export function parseMessage(bytes: Uint8Array): Message {
  const reader = createReader(bytes)
  const first = reader.byte()
  const isVersioned = first >= 128
  if (isVersioned && first !== 128) throw new TypeError('Unknown version')
  const required = isVersioned ? reader.byte() : first
  const readonlySigned = reader.byte()
  const readonlyUnsigned = reader.byte()
  const keys = reader.list(() => encodeBase58(reader.take(32)))
  if (required === 0 || required > keys.length) throw new TypeError('No signers')
  const blockhash = encodeBase58(reader.take(32))
  const raw = reader.list(() => ({
    program: reader.byte(),
    accounts: reader.list(() => reader.byte()),
    data: reader.take(reader.length()),
  }))
  const lookups = isVersioned
    ? reader.list(() => ({
        table: encodeBase58(reader.take(32)),
        writable: reader.list(() => reader.byte()),
        readable: reader.list(() => reader.byte()),
      }))
    : []
  if (reader.at() !== bytes.length) throw new TypeError('More than a message')
  const metas = [
    ...keys.map((key, index) => {
      const isSigner = index < required
      const isWritable = isSigner
        ? index < required - readonlySigned
        : index < keys.length - readonlyUnsigned
      return `${key}:${isSigner ? 's' : ''}${isWritable ? 'w' : ''}`
    }),
    ...lookups.flatMap(({ table, writable }) => writable.map((at) => `${table}[${at}]:w`)),
    ...lookups.flatMap(({ table, readable }) => readable.map((at) => `${table}[${at}]:`)),
  ]
  const instructions = raw.map(({ program, accounts, data }) => ({
    program: getEntry(keys, program),
    accounts: accounts.map((index) => getEntry(metas, index)),
    data,
  }))
  const version = isVersioned ? 0 : 'legacy'
  return { version, signers: keys.slice(0, required), blockhash, instructions }
}

function getEntry(list: readonly string[], index: number): string {
  const entry = list[index]
  if (entry === undefined) throw new TypeError('No such account')
  return entry
}

/** Reads bytes from first to last; throws a TypeError beyond the end. */
function createReader(bytes: Uint8Array) {
  let at = 0
  const take = (count: number) => {
    if (at + count > bytes.length) throw new TypeError('Too short')
    at += count
    return bytes.slice(at - count, at)
  }
  const byte = () => take(1)[0] as number
  /** Compact-u16: seven bits a byte, the lowest first. */
  const length = () => {
    let value = 0
    for (let shift = 0; shift < 21; shift += 7) {
      const next = byte()
      value |= (next & 127) << shift
      if (next < 128) return value
    }
    throw new TypeError('Too long')
  }
  const list = <T>(read: () => T): T[] => Array.from({ length: length() }, read)
  return { at: () => at, take, byte, length, list }
}
