import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { getErrorMessage } from './getErrorMessage.ts'

test('default: returns the message of the error', () => {
  expect(getErrorMessage(new LatchkeyError('CODE_WRONG'))).toBe(
    'This code is wrong. Check the newest email',
  )
})

test.each([
  ['LOGIN_THROTTLED', 30, 'Please try again after 30 seconds'],
  ['LOGIN_THROTTLED', 3_504, 'Please try again after 59 minutes'],
  ['CODE_THROTTLED', 600, 'Too many wrong codes. Please try again after 10 minutes'],
] as const)('behavior: %s for %i seconds says "%s"', (code, seconds, expected) => {
  expect(getErrorMessage(new LatchkeyError(code, { data: { seconds } }))).toBe(expected)
})

test('error: hides foreign errors and internal errors', () => {
  for (const error of [new Error('secret'), new LatchkeyError('INTERNAL'), 'text'])
    expect(getErrorMessage(error)).toBe('Something went wrong. Try again')
})
