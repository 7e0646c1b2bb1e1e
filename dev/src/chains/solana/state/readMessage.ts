import {
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
} from '@solana/kit'

/** An instruction as a message holds it: places in the list of accounts. */
type CompiledInstruction = {
  readonly programIdIndex: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

/** A transaction's message, with the accounts that it loads from lookup tables. */
export type Message = {
  readonly version: 'legacy' | number
  readonly signature: string
  readonly signatures: readonly string[]
  readonly blockhash: string
  readonly header: {
    readonly numRequiredSignatures: number
    readonly numReadonlySignedAccounts: number
    readonly numReadonlyUnsignedAccounts: number
  }
  readonly staticKeys: readonly string[]
  readonly loaded: { readonly writable: readonly string[]; readonly readonly: readonly string[] }
  /**
   * All accounts in the order in which instructions count them: static, loaded writable, loaded
   * read-only.
   */
  readonly keys: readonly string[]
  readonly instructions: readonly CompiledInstruction[]
  readonly lookups: readonly {
    readonly accountKey: string
    readonly writableIndexes: readonly number[]
    readonly readonlyIndexes: readonly number[]
  }[]
}

type GetData = (address: string) => Uint8Array | undefined

const lookupTableHeader = 56

/** Decodes a transaction's bytes. Throws when they are no transaction, or more than one. */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const transaction = getTransactionDecoder().decode(bytes)
  const length = getTransactionEncoder().encode(transaction).length
  if (length !== bytes.length) throw new Error('bytes remain after the transaction')
  return transaction
}

/**
 * Reads the message. `getData` reads lookup tables; accounts that they do not contain are left out.
 */
export function readMessage(transaction: Transaction, getData: GetData): Message {
  const base58 = getBase58Decoder()
  const compiled = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  if (compiled.version === 1) throw new Error('version 1 is not supported here')
  const signatures = Object.values(transaction.signatures).map((bytes) =>
    base58.decode(bytes ?? new Uint8Array(64)),
  )
  const tables = 'addressTableLookups' in compiled ? (compiled.addressTableLookups ?? []) : []
  const lookups = tables.map(({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
    accountKey: String(lookupTableAddress),
    writableIndexes,
    readonlyIndexes,
  }))
  const find = (which: 'writableIndexes' | 'readonlyIndexes') =>
    lookups.flatMap((lookup) => {
      const table = getData(lookup.accountKey)
      return lookup[which].flatMap((index) => (table ? readEntry(table, index) : []))
    })
  const loaded = { writable: find('writableIndexes'), readonly: find('readonlyIndexes') }
  const { header, staticAccounts } = compiled
  return {
    version: compiled.version,
    signature: signatures[0] ?? '',
    signatures,
    blockhash: compiled.lifetimeToken,
    header: {
      numRequiredSignatures: header.numSignerAccounts,
      numReadonlySignedAccounts: header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
    },
    staticKeys: staticAccounts,
    loaded,
    keys: [...staticAccounts, ...loaded.writable, ...loaded.readonly],
    instructions: compiled.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
      programIdIndex: programAddressIndex,
      accounts: accountIndices ?? [],
      data: new Uint8Array(data ?? []),
    })),
    lookups,
  }
}

/** Whether the account at a place of {@link Message.keys} signs, and whether it may be changed. */
export function getRole(message: Message, index: number): { signer: boolean; writable: boolean } {
  const { header, staticKeys, loaded } = message
  const count = staticKeys.length
  const signer = index < header.numRequiredSignatures
  if (index >= count) return { signer, writable: index < count + loaded.writable.length }
  const writable = signer
    ? index < header.numRequiredSignatures - header.numReadonlySignedAccounts
    : index < count - header.numReadonlyUnsignedAccounts
  return { signer, writable }
}

/** The data of a lookup table that is never closed or extended. */
export function encodeLookupTable(authority: Uint8Array, entries: readonly Uint8Array[]) {
  const header = Buffer.alloc(lookupTableHeader)
  header.writeUInt32LE(1, 0)
  header.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 4)
  header.writeUInt8(1, 21)
  header.set(authority, 22)
  return Buffer.concat([header, ...entries])
}

function readEntry(table: Uint8Array, index: number): string[] {
  const start = lookupTableHeader + index * 32
  const entry = table.subarray(start, start + 32)
  return entry.length === 32 ? [getBase58Decoder().decode(entry)] : []
}
