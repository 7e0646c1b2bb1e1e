import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getResultKind, isValidResult } from './isValidResult.ts'

test('behavior: 64 hex characters are a hash, at least 62 a signature, all else an object', () => {
  const hex = (length: number) => `0x${'a'.repeat(length)}`
  expect(getResultKind(hex(64))).toBe('hash')
  for (const length of [62, 63, 65, 130, 500]) expect(getResultKind(hex(length))).toBe('signature')
  for (const answer of [hex(61), hex(0), 'a'.repeat(64), `0x${'g'.repeat(64)}`, null, 1, {}, []])
    expect(getResultKind(answer)).toBe('object')
  fc.assert(
    fc.property(fc.nat(300), (length) => {
      const wanted = length === 64 ? 'hash' : length >= 62 ? 'signature' : 'object'
      return getResultKind(hex(length)) === wanted
    }),
  )
})

test('behavior: an answer fits its method', () => {
  expect(isValidResult('eth_sendTransaction', `0x${'1'.repeat(64)}`)).toBe(true)
  expect(isValidResult('eth_sendTransaction', `0x${'1'.repeat(130)}`)).toBe(false)
  expect(isValidResult('personal_sign', `0x${'1'.repeat(130)}`)).toBe(true)
  expect(isValidResult('personal_sign', null)).toBe(false)
  expect(isValidResult('wallet_sendCalls', { id: '1' })).toBe(true)
  expect(isValidResult('toString', 'x')).toBe(true)
})
