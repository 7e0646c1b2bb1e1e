import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAnswerTo, kindOfAnswer } from './isValidAnswer.ts'

test('behavior: 64 hex characters are a hash, at least 62 a signature, all else an object', () => {
  const hex = (length: number) => `0x${'a'.repeat(length)}`
  expect(kindOfAnswer(hex(64))).toBe('hash')
  for (const length of [62, 63, 65, 130, 500]) expect(kindOfAnswer(hex(length))).toBe('signature')
  for (const answer of [hex(61), hex(0), 'a'.repeat(64), `0x${'g'.repeat(64)}`, null, 1, {}, []])
    expect(kindOfAnswer(answer)).toBe('object')
  fc.assert(
    fc.property(fc.nat(300), (length) => {
      const wanted = length === 64 ? 'hash' : length >= 62 ? 'signature' : 'object'
      return kindOfAnswer(hex(length)) === wanted
    }),
  )
})

test('behavior: an answer fits its method', () => {
  expect(isAnswerTo('eth_sendTransaction', `0x${'1'.repeat(64)}`)).toBe(true)
  expect(isAnswerTo('eth_sendTransaction', `0x${'1'.repeat(130)}`)).toBe(false)
  expect(isAnswerTo('personal_sign', `0x${'1'.repeat(130)}`)).toBe(true)
  expect(isAnswerTo('personal_sign', null)).toBe(false)
  expect(isAnswerTo('wallet_sendCalls', { id: '1' })).toBe(true)
  expect(isAnswerTo('toString', 'x')).toBe(true)
})
