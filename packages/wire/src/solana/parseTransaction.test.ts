import {
  type Address,
  type Blockhash,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBase58 } from '../encoding/base58.ts'
import {
  encodeSolanaTransaction,
  isSigner,
  isWritable,
  parseSolanaTransaction,
  parseTransactionMessage,
  type SolanaMessage,
} from './parseTransaction.ts'

type Compiled = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((one) => encodeBase58(one))
const index = (max: number) => fc.nat(Math.max(0, max))

/** A message that a page could send, in kit's format. */
const compiled = fc
  .record({
    version: fc.constantFrom('legacy' as const, 0 as const),
    staticAccounts: fc.uniqueArray(key, { minLength: 2, maxLength: 5 }),
    lifetimeToken: key,
    tables: fc.array(fc.record({ table: key, writable: index(4), readonly: index(4) }), {
      maxLength: 2,
    }),
    signers: index(3),
    readonlySigners: index(2),
    readonlyOthers: index(3),
  })
  .chain(({ version, staticAccounts, lifetimeToken, tables, ...header }) => {
    const lookups = version === 0 ? tables.filter((one) => one.writable + one.readonly > 0) : []
    const loaded = lookups.reduce((sum, one) => sum + one.writable + one.readonly, 0)
    const count = staticAccounts.length + loaded
    const signers = Math.min(1 + header.signers, staticAccounts.length - 1)
    const instruction = fc.record({
      programAddressIndex: fc.integer({ min: 1, max: staticAccounts.length - 1 }),
      accountIndices: fc.array(index(count - 1), { maxLength: 6 }),
      data: fc.uint8Array({ maxLength: 40 }),
    })
    return fc.array(instruction, { maxLength: 4 }).map(
      (instructions) =>
        ({
          version,
          header: {
            numSignerAccounts: signers,
            numReadonlySignerAccounts: Math.min(header.readonlySigners, signers - 1),
            numReadonlyNonSignerAccounts: Math.min(
              header.readonlyOthers,
              staticAccounts.length - signers,
            ),
          },
          staticAccounts: staticAccounts as Address[],
          lifetimeToken: lifetimeToken as Blockhash,
          instructions,
          ...(version === 0 && {
            addressTableLookups: lookups.map(({ table, writable, readonly }) => ({
              lookupTableAddress: table as Address,
              writableIndexes: Array.from({ length: writable }, (_, at) => at),
              readonlyIndexes: Array.from({ length: readonly }, (_, at) => 100 + at),
            })),
          }),
        }) as unknown as Compiled,
    )
  })

const encode = (message: Compiled) =>
  Uint8Array.from(getCompiledTransactionMessageEncoder().encode(message))

/** The parsed message in kit's format. */
const toCompiled = (message: SolanaMessage) =>
  ({
    version: message.version,
    header: {
      numSignerAccounts: message.signerCount,
      numReadonlySignerAccounts: message.readonlySignerCount,
      numReadonlyNonSignerAccounts: message.readonlyOtherCount,
    },
    staticAccounts: message.keys,
    lifetimeToken: message.blockhash,
    instructions: message.instructions.map(({ program, accounts, data }) => ({
      programAddressIndex: program,
      accountIndices: accounts,
      data,
    })),
    ...(message.version === 0 && {
      addressTableLookups: message.lookups.map(({ table, writable, readonly }) => ({
        lookupTableAddress: table,
        writableIndexes: writable,
        readonlyIndexes: readonly,
      })),
    }),
  }) as unknown as Compiled

const parsed = (bytes: Uint8Array): SolanaMessage | undefined => {
  try {
    return parseTransactionMessage(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError)
    return undefined
  }
}

test('behavior: transactions that kit encodes parse correctly', () => {
  fc.assert(
    fc.property(compiled, (message) => {
      const bytes = encode(message)
      fc.pre(bytes.length <= 1100)
      const read = parseTransactionMessage(bytes)
      expect(encode(toCompiled(read))).toEqual(bytes)
      expect(read).toMatchObject({ keys: message.staticAccounts, blockhash: message.lifetimeToken })
      const signatures = message.staticAccounts
        .slice(0, read.signerCount)
        .map((_, at) => new Uint8Array(64).fill(at + 1))
      const whole = encodeSolanaTransaction({ message: bytes }, signatures)
      expect(parseSolanaTransaction(whole)).toEqual({ ...read, signatures, message: bytes })
      const peer = getTransactionDecoder().decode(whole)
      expect(Uint8Array.from(peer.messageBytes)).toEqual(bytes)
      expect(Object.values(peer.signatures).map((one) => one && Uint8Array.from(one))).toEqual(
        signatures,
      )
    }),
    { numRuns: 25 },
  )
})

test('Solana: any bytes that parse encode to exactly the same bytes', () => {
  const mutated = fc
    .tuple(
      compiled,
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
      fc.integer({ min: -3, max: 3 }),
    )
    .map(([message, changes, more]) => {
      const whole = encode(message)
      const bytes = Uint8Array.from([...whole, 0, 0, 0]).subarray(0, whole.length + more)
      // Lengths and indices are near the front.
      for (const [at, value] of changes) bytes[at % Math.min(bytes.length, 400)] = value
      return bytes
    })
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 1300 })), (bytes) => {
      const read = parsed(bytes)
      if (!read) return
      expect(encode(toCompiled(read))).toEqual(Uint8Array.from(bytes))
      const peer = getCompiledTransactionMessageDecoder().decode(bytes) as Compiled
      expect(encode(peer)).toEqual(encode(toCompiled(read)))
    }),
    { numRuns: 120 },
  )
})

const program = new Array<number>(32).fill(3)
const head = [1, 0, 1, 2, ...new Array<number>(32).fill(1), ...program]
const simple = [...head, ...new Array<number>(32).fill(9), 1, 1, 1, 0, 0]
const bytes = (...list: number[]) => Uint8Array.from(list)

test('error: transactions that the network would not run are refused', () => {
  expect(parsed(bytes(...simple))).toBeDefined()
  const changed = (at: number, value: number) => {
    const copy = [...simple]
    copy[at] = value
    return bytes(...copy)
  }
  const [programAt, accountAt] = [simple.length - 4, simple.length - 2]
  const bad = [
    bytes(),
    bytes(...simple, 0),
    bytes(...simple.slice(0, -1)),
    changed(0, 0),
    changed(0, 3),
    changed(1, 1),
    changed(2, 2),
    changed(programAt, 0),
    changed(programAt, 2),
    changed(accountAt, 2),
    bytes(0x81, ...simple, 0),
    // Two bytes for a length that fits one, and a length beyond 65,535.
    bytes(1, 0, 1, 0x82, 0, ...simple.slice(4)),
    bytes(1, 0, 1, 0xff, 0xff, 0x7f, ...simple.slice(4)),
    // The same account twice.
    bytes(1, 0, 1, 2, ...program, ...program, ...simple.slice(68)),
    // A lookup table without accounts, and a truncated lookup table.
    bytes(0x80, ...simple, 1, ...program, 0, 0),
    bytes(0x80, ...simple, 1, ...program, 1),
  ]
  for (const one of bad) expect(parsed(one)).toBeUndefined()
  expect(() => parseSolanaTransaction(bytes(0, ...simple))).toThrow('differ in number')
  expect(() => parseSolanaTransaction(new Uint8Array(1233))).toThrow('too large')
})

test('behavior: signers and writable accounts', () => {
  const message: SolanaMessage = {
    version: 0,
    signerCount: 2,
    readonlySignerCount: 1,
    readonlyOtherCount: 1,
    keys: ['a', 'b', 'c', 'd'],
    blockhash: '',
    instructions: [],
    lookups: [
      { table: 'x', writable: [0], readonly: [1] },
      { table: 'y', writable: [2], readonly: [] },
    ],
  }
  const indices = [0, 1, 2, 3, 4, 5, 6]
  expect(indices.filter((at) => isSigner(message, at))).toEqual([0, 1])
  expect(indices.filter((at) => isWritable(message, at))).toEqual([0, 2, 4, 5])
})

test('default: the transaction that the libraries of Solana test themselves with', () => {
  // solana-labs/solana-web3.js, test/transaction.test.ts, 'parse wire format and serialize': 49
  // lamports, signed by the seed of 32 bytes of 8. Ports in other languages test with the same
  // bytes.
  const wire =
    'AVuErQHaXv0SG0/PchunfxHKt8wMRfMZzqV0tkC5qO6owYxWU2v871AoWywGoFQr4z+q/7mE8lIufNl/kxj+nQ0BAAEDE5j2LG0aRXxRumpLXz29L2n8qTIWIY3ImX5Ba9F9k8r9Q5/Mtmcn8onFxt47xKj+XdXXd3C8j/FcPu7csUrz/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAxJrndgN4IFTxep3s6kO0ROug7bEsbx0xxuDkqEvwUusBAgIAAQwCAAAAMQAAAAAAAAA='
  const bytes = Uint8Array.from(Buffer.from(wire, 'base64'))
  const parsed = parseSolanaTransaction(bytes)
  expect(parsed).toMatchObject({
    version: 'legacy',
    signerCount: 1,
    readonlySignerCount: 0,
    readonlyOtherCount: 1,
    blockhash: 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k',
    instructions: [{ program: 2, accounts: [0, 1] }],
    lookups: [],
  })
  expect(parsed.keys.slice(1)).toEqual([
    'J3dxNj7nDRRqRRXuEMynDG57DkZK4jYRuv3Garmb1i99',
    '1'.repeat(32),
  ])
  expect(parsed.signatures.map(encodeBase58)).toEqual([
    '2q8Fs6wmDHcdNKJnVJoXYnDVqrWm8GYsxYt2QwUPvadkEQXinWJRwWVzxdUmJY9YH8iZETcXjk3ZdBcDUkuUtfKz',
  ])
  expect(encodeSolanaTransaction(parsed, parsed.signatures)).toEqual(bytes)
})
