import { decodeBase58, encodeBase58 } from '@latchkey/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTransaction } from './prepareSolana.ts'

/** The message of a transfer: one signer, three keys, a blockhash, one instruction. */
const message = Uint8Array.from([
  ...[1, 0, 1, 3],
  ...new Array<number>(3 * 32).fill(7),
  ...new Array<number>(32).fill(9),
  ...[1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
])

test('behavior: the message of a transaction is known in every form', () => {
  expect(isTransaction(message)).toBe(true)
  expect(isTransaction(Uint8Array.from([0x80, ...message, 0]))).toBe(true)
  expect(isTransaction(Uint8Array.from([1, ...new Array<number>(64).fill(0), ...message]))).toBe(
    true,
  )
})

test('behavior: text is none', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'abc XYZ 019.,:\n') }),
      (text) => isTransaction(new TextEncoder().encode(text)) === false,
    ),
  )
})

test('default: base58 there and back', () => {
  expect(encodeBase58(Uint8Array.from([0, 0, 1, 255]))).toBe('119p')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(decodeBase58(encodeBase58(bytes))).toEqual(Uint8Array.from(bytes))
    }),
  )
  expect(decodeBase58('0OIl')).toBeUndefined()
})
