import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { describeError } from './describeError.ts'

test('default: returns message and code', () => {
  expect(describeError(new LatchkeyError('USER_REJECTED'))).toEqual({
    message: 'User rejected the request',
    detail: 'USER_REJECTED',
  })
})

test('behavior: the cause is shown if it says more', () => {
  const error = new LatchkeyError('SEND_FAILED', { cause: new Error('nonce too low') })
  expect(describeError(error).detail).toBe('SEND_FAILED · nonce too low')
})

test('error: things that are no error', () => {
  for (const wrong of [undefined, null, 1, 'text', {}, { message: 4 }])
    expect(describeError(wrong)).toEqual({ message: 'Something went wrong', detail: undefined })
})
