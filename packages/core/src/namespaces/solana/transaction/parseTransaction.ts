import * as wire from '@latchkey/wire/solana'

/** A transaction on the wire: signatures and the message that they sign. */
export type ParsedTransaction = {
  /** 64 bytes each, zeros for a missing signature. */
  signatures: readonly Uint8Array[]
  /** Addresses that have to sign, the fee payer first. */
  signers: readonly string[]
  message: Uint8Array
}

/** An instruction. Its accounts are `address:flags`, or an index in a lookup table. */
export type ParsedInstruction = { program: string; accounts: readonly string[]; data: Uint8Array }

/** A parsed message, legacy or of version 0. */
export type ParsedMessage = {
  version: 'legacy' | 0
  signers: readonly string[]
  blockhash: string
  instructions: readonly ParsedInstruction[]
}

/** Reads a serialized transaction; undefined if it is not one. */
export function parseSignedTransaction(bytes: Uint8Array): ParsedTransaction | undefined {
  try {
    const { signatures, keys, signerCount, message } = wire.parseSolanaTransaction(bytes)
    return { signatures, signers: keys.slice(0, signerCount), message }
  } catch {
    return undefined
  }
}

/** Reads a message to its last byte. Throws a RangeError if it is not one. */
export function parseMessage(bytes: Uint8Array): ParsedMessage {
  const message = wire.parseTransactionMessage(bytes)
  const { version, keys, signerCount, blockhash, lookups } = message
  const loaded = (['writable', 'readonly'] as const).flatMap((kind) =>
    lookups.flatMap((lookup) => lookup[kind].map((at) => `${lookup.table}[${at}]`)),
  )
  const accounts = [...keys, ...loaded].map((name, index) => {
    const flags = [wire.isSigner(message, index) && 's', wire.isWritable(message, index) && 'w']
    return `${name}:${flags.filter(Boolean).join('')}`
  })
  const instructions = message.instructions.map(({ program, data, accounts: indices }) => ({
    program: keys[program] ?? '',
    accounts: indices.map((index) => accounts[index] ?? ''),
    data,
  }))
  return { version, signers: keys.slice(0, signerCount), blockhash, instructions }
}
