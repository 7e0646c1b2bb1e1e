import { readBytes, type SolanaByteReader } from './readBytes.ts'

/** A parsed Solana transaction; addresses are base58. */
export type SolanaTransaction = {
  readonly version: 'legacy' | 0
  /** 64 bytes for each signer, zeros if a signature is missing. */
  readonly signatures: readonly Uint8Array[]
  /** The exact bytes that are signed. */
  readonly message: Uint8Array
} & SolanaMessage

export type SolanaMessage = {
  readonly version: 'legacy' | 0
  readonly signerCount: number
  readonly readonlySignerCount: number
  readonly readonlyOtherCount: number
  /** The accounts in the bytes; the first pays the fee. Accounts from lookup tables follow. */
  readonly keys: readonly string[]
  readonly blockhash: string
  readonly instructions: readonly RawInstruction[]
  readonly lookups: readonly Lookup[]
}

/**
 * Indices of accounts: of `keys`, then of all writable accounts from lookup tables, then of their
 * readonly accounts.
 */
type RawInstruction = {
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

type Lookup = {
  readonly table: string
  readonly writable: readonly number[]
  readonly readonly: readonly number[]
}

/** The largest transaction that fits a packet of the network. */
const maxTransactionBytes = 1232
const maxAccounts = 256

/**
 * Parses a transaction, legacy or version 0, with its signatures. Throws RangeError with the reason
 * for everything that the network would not run: another version, lengths and indices out of range,
 * bytes after the end.
 */
export function parseSolanaTransaction(bytes: Uint8Array): SolanaTransaction {
  if (bytes.length > maxTransactionBytes) throw new RangeError('it is too large')
  const reader = readBytes(bytes)
  const signatures = readList(reader, 64, () => reader.take(64))
  const message = bytes.subarray(reader.at())
  const parsed = parseTransactionMessage(message)
  if (parsed.signerCount !== signatures.length)
    throw new RangeError('signatures and signers differ in number')
  return { ...parsed, signatures, message }
}

/** Parses the part of a transaction that is signed. Throws RangeError. */
export function parseTransactionMessage(bytes: Uint8Array): SolanaMessage {
  if (bytes.length > maxTransactionBytes) throw new RangeError('it is too large')
  const reader = readBytes(bytes)
  const isVersioned = (bytes[0] ?? 0) >= 0x80
  if (isVersioned && reader.u8() !== 0x80) throw new RangeError('its version is not known')
  const [signerCount, readonlySignerCount, readonlyOtherCount] = [
    reader.u8(),
    reader.u8(),
    reader.u8(),
  ]
  const keys = readList(reader, 32, reader.key)
  const blockhash = reader.key()
  const instructions = readList(reader, 3, () => ({
    program: reader.u8(),
    accounts: readList(reader, 1, reader.u8),
    data: reader.take(reader.compact()),
  }))
  const lookups = isVersioned
    ? readList(reader, 34, () => ({
        table: reader.key(),
        writable: readList(reader, 1, reader.u8),
        readonly: readList(reader, 1, reader.u8),
      }))
    : []
  reader.end()
  const message: SolanaMessage = {
    version: isVersioned ? 0 : 'legacy',
    signerCount,
    readonlySignerCount,
    readonlyOtherCount,
    keys,
    blockhash,
    instructions,
    lookups,
  }
  assertConsistent(message)
  return message
}

/** Reads a list with its length before it; each item has at least `itemBytes` bytes. */
function readList<Item>(reader: SolanaByteReader, itemBytes: number, read: () => Item): Item[] {
  const length = reader.compact()
  if (length * itemBytes > reader.left()) throw new RangeError('the bytes end too early')
  return Array.from({ length }, read)
}

function assertConsistent({
  signerCount,
  readonlySignerCount,
  readonlyOtherCount,
  keys,
  instructions,
  lookups,
}: SolanaMessage): void {
  if (readonlySignerCount >= signerCount) throw new RangeError('nobody pays the fee')
  if (signerCount + readonlyOtherCount > keys.length)
    throw new RangeError('more signers than accounts')
  if (new Set(keys).size !== keys.length) throw new RangeError('an account is named twice')
  const loaded = lookups.map(({ writable, readonly }) => writable.length + readonly.length)
  if (loaded.includes(0)) throw new RangeError('a lookup table is not used')
  const count = loaded.reduce((sum, length) => sum + length, keys.length)
  if (count > maxAccounts) throw new RangeError('it has too many accounts')
  for (const { program, accounts } of instructions) {
    // The program is never the fee payer, and never from a table.
    if (program === 0 || program >= keys.length) throw new RangeError('a program is out of range')
    if (accounts.some((index) => index >= count)) throw new RangeError('an account is out of range')
  }
}

/** Whether the account at an index signs. */
export const isSigner = ({ signerCount }: SolanaMessage, index: number): boolean =>
  index < signerCount

/** Whether the transaction may change the account at an index. */
export function isWritable(message: SolanaMessage, index: number): boolean {
  const { signerCount, readonlySignerCount, readonlyOtherCount, keys, lookups } = message
  if (index < signerCount) return index < signerCount - readonlySignerCount
  if (index < keys.length) return index < keys.length - readonlyOtherCount
  return index < keys.length + lookups.reduce((sum, { writable }) => sum + writable.length, 0)
}

/** The transaction with other signatures, as bytes. */
export function encodeSolanaTransaction(
  { message }: Pick<SolanaTransaction, 'message'>,
  signatures: readonly Uint8Array[],
): Uint8Array {
  // At most nineteen signatures fit, so their number is one byte.
  const bytes = new Uint8Array(1 + signatures.length * 64 + message.length)
  bytes[0] = signatures.length
  for (const [index, signature] of signatures.entries()) bytes.set(signature, 1 + index * 64)
  bytes.set(message, 1 + signatures.length * 64)
  return bytes
}
