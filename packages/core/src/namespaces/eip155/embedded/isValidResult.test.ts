import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isValidResult } from './isValidResult.ts'

/** The methods that may have returned this result. */
const methodsOf = (answer: unknown) =>
  ['eth_sendTransaction', 'personal_sign'].filter((method) => isValidResult(method, answer))
const hash = ['eth_sendTransaction']
const signature = ['personal_sign']

test('behavior: 64 hex characters are a hash, at least 62 a signature, all else neither', () => {
  const hex = (length: number) => `0x${'a'.repeat(length)}`
  expect(methodsOf(hex(64))).toEqual(hash)
  for (const length of [62, 63, 65, 130, 500]) expect(methodsOf(hex(length))).toEqual(signature)
  for (const answer of [hex(61), hex(0), 'a'.repeat(64), `0x${'g'.repeat(64)}`, null, 1, {}, []])
    expect(methodsOf(answer)).toEqual([])
  fc.assert(
    fc.property(fc.nat(300), (length) => {
      const wanted = length === 64 ? hash : length >= 62 ? signature : []
      expect(methodsOf(hex(length))).toEqual(wanted)
    }),
  )
})

test('behavior: a result has the kind of its method', () => {
  expect(isValidResult('eth_sendTransaction', `0x${'1'.repeat(64)}`)).toBe(true)
  expect(isValidResult('eth_sendTransaction', `0x${'1'.repeat(130)}`)).toBe(false)
  expect(isValidResult('personal_sign', `0x${'1'.repeat(130)}`)).toBe(true)
  expect(isValidResult('personal_sign', null)).toBe(false)
  expect(isValidResult('wallet_sendCalls', { id: '1' })).toBe(true)
  expect(isValidResult('toString', 'x')).toBe(true)
})
