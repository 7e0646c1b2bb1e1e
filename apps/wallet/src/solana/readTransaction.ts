import { decodeBase64, encodeBase64 } from '@latchkey/wire'
import {
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
} from '@solana/kit'
import type { SolanaChain } from '../config.ts'
import { requestNode } from '../node.ts'

/** An instruction with its accounts by address. */
export type Instruction = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

/** A transaction whose every account is known. */
export type ReadTransaction = {
  readonly transaction: Transaction
  readonly feePayer: string
  readonly signers: readonly string[]
  readonly instructions: readonly Instruction[]
}

/**
 * Decodes a transaction and reads its lookup tables from the node. Throws if it is not a
 * transaction, or refers to an entry that no table has.
 */
export async function readTransaction(
  chain: SolanaChain,
  bytes: Uint8Array,
): Promise<ReadTransaction> {
  const transaction = getTransactionDecoder().decode(bytes)
  if (getTransactionEncoder().encode(transaction).length !== bytes.length)
    throw new Error('Bytes remain after the transaction')
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  if (message.version === 1) throw new Error('Version 1 is not supported')
  const tables = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : []
  const entries = await Promise.all(
    tables.map((table) => readTable(chain, table.lookupTableAddress)),
  )
  const load = (which: 'writableIndexes' | 'readonlyIndexes') =>
    tables.flatMap((table, at) => table[which].map((index) => known(entries[at]?.[index])))
  const keys: readonly string[] = [
    ...message.staticAccounts,
    ...load('writableIndexes'),
    ...load('readonlyIndexes'),
  ]
  return {
    transaction,
    feePayer: known(keys[0]),
    signers: keys.slice(0, message.header.numSignerAccounts),
    instructions: message.instructions.map((each) => ({
      program: known(keys[each.programAddressIndex]),
      accounts: (each.accountIndices ?? []).map((index) => known(keys[index])),
      data: new Uint8Array(each.data ?? []),
    })),
  }
}

/** The bytes of a transaction's message as base64, for `getFeeForMessage`. */
export const encodeMessage = ({ messageBytes }: Transaction): string =>
  encodeBase64(new Uint8Array(messageBytes))

function known(address: string | undefined): string {
  if (address === undefined) throw new Error('An account is missing')
  return address
}

const tableHeader = 56

async function readTable(chain: SolanaChain, address: string): Promise<string[]> {
  const answer = (await requestNode(chain, 'getAccountInfo', [
    address,
    { encoding: 'base64', commitment: 'confirmed' },
  ])) as { value: { data: [string, string] } | null }
  const bytes = decodeBase64(answer.value?.data[0] ?? '') ?? new Uint8Array()
  const count = Math.floor(Math.max(0, bytes.length - tableHeader) / 32)
  return Array.from({ length: count }, (_, index) => {
    const start = tableHeader + index * 32
    return getBase58Decoder().decode(bytes.subarray(start, start + 32))
  })
}
