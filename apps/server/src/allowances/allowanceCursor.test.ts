import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approvalKinds } from '../evm/approvals.ts'
import { readAllowanceCursor, writeAllowanceCursor } from './allowanceCursor.ts'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`)
const position = fc.record({
  changedAtMs: fc.nat(2 ** 45),
  kind: fc.constantFrom(...approvalKinds),
  contract: address,
  spender: address,
  tokenId: fc.option(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), { nil: undefined }),
})
const account = { chainId: 'eip155:1', address: `0x${'1'.repeat(40)}` } as const

test('default: a cursor returns its position, for its account and network only', () => {
  fc.assert(
    fc.property(position, (one) => {
      const cursor = writeAllowanceCursor(one, account)
      expect(readAllowanceCursor(cursor, account)).toEqual(one)
      const other = { ...account, address: `0x${'2'.repeat(40)}` } as const
      expect(readAllowanceCursor(cursor, other)).toBeUndefined()
      expect(readAllowanceCursor(cursor, { ...account, chainId: 'eip155:2' })).toBeUndefined()
    }),
  )
})

test.each(['', 'x', 'MA', 'bm9uc2Vuc2U', 'A'.repeat(130)])('error: %s is no cursor', (cursor) => {
  expect(readAllowanceCursor(cursor, account)).toBeUndefined()
})
