import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase58, encodeBase58 } from './base58.ts'

test('default: bytes come back, leading zeros included', () => {
  expect(encodeBase58(Uint8Array.of(0, 0, 1))).toBe('112')
  expect(encodeBase58(new TextEncoder().encode('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes)
    }),
  )
})

test('error: other letters and endless text', () => {
  expect(decodeBase58('0OIl')).toBeUndefined()
  expect(decodeBase58('1'.repeat(4_001))).toBeUndefined()
})
