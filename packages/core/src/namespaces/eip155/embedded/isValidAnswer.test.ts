import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getAnswerKind, isValidAnswer } from './isValidAnswer.ts'

test('behavior: 64 hex characters are a hash, at least 62 a signature, all else an object', () => {
  const hex = (length: number) => `0x${'a'.repeat(length)}`
  expect(getAnswerKind(hex(64))).toBe('hash')
  for (const length of [62, 63, 65, 130, 500]) expect(getAnswerKind(hex(length))).toBe('signature')
  for (const answer of [hex(61), hex(0), 'a'.repeat(64), `0x${'g'.repeat(64)}`, null, 1, {}, []])
    expect(getAnswerKind(answer)).toBe('object')
  fc.assert(
    fc.property(fc.nat(300), (length) => {
      const wanted = length === 64 ? 'hash' : length >= 62 ? 'signature' : 'object'
      return getAnswerKind(hex(length)) === wanted
    }),
  )
})

test('behavior: an answer fits its method', () => {
  expect(isValidAnswer('eth_sendTransaction', `0x${'1'.repeat(64)}`)).toBe(true)
  expect(isValidAnswer('eth_sendTransaction', `0x${'1'.repeat(130)}`)).toBe(false)
  expect(isValidAnswer('personal_sign', `0x${'1'.repeat(130)}`)).toBe(true)
  expect(isValidAnswer('personal_sign', null)).toBe(false)
  expect(isValidAnswer('wallet_sendCalls', { id: '1' })).toBe(true)
  expect(isValidAnswer('toString', 'x')).toBe(true)
})
