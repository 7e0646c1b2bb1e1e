import { type ErrorCode, errors, LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { getErrorMessage } from './errorMessage.ts'

const english = { locale: 'en', messages: {} }
const codes = Object.keys(errors) as ErrorCode[]
/** An error with a value for each part of its message. */
const make = (code: ErrorCode) => {
  const names = [...errors[code].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'X'])
  return new LatchkeyError(code, { data: Object.fromEntries(names) } as never)
}

test('default: the app’s text of a code with its data, else English', () => {
  const slow = new LatchkeyError('RATE_LIMITED', { data: { seconds: 7 } })
  expect(getErrorMessage(slow, english)).toBe('Too many requests. Try again in 7 s')
  const messages = { 'error.RATE_LIMITED': 'Zu viele Anfragen. Noch {seconds} s' }
  expect(getErrorMessage(slow, { locale: 'de', messages })).toBe('Zu viele Anfragen. Noch 7 s')
})

test('behavior: the reason of the server, and of the wallet for a failed transfer, stays', () => {
  const data = { status: 400, field: 'name', reason: 'This name is taken' }
  const refused = new LatchkeyError('HTTP_FAILED', { data })
  expect(getErrorMessage(refused, english)).toBe('This name is taken')
  const messages = { 'error.HTTP_FAILED': 'Der Server meldet {status}' }
  expect(getErrorMessage(refused, { locale: 'de', messages })).toBe(
    'Der Server meldet 400: This name is taken',
  )
  const cause = new LatchkeyError('RPC_FAILED', { data: { reason: 'nonce too low' } })
  expect(getErrorMessage(new LatchkeyError('SEND_FAILED', { cause }), english)).toBe(
    'Something went wrong: nonce too low',
  )
})

test('behavior: people read no words of code', () => {
  const technical = codes.filter((code) =>
    /\(\)|\bconfig\b|chainId|namespace|JSON|HTTP|RPC url|CAIP|wallet_|\bconnector\b|\bJWT\b/i.test(
      getErrorMessage(make(code), english),
    ),
  )
  expect(technical).toEqual([])
})

test('behavior: anything else that was thrown shows its own message', () => {
  expect(getErrorMessage(new Error('quota exceeded'), english)).toBe('quota exceeded')
  expect(getErrorMessage('no', english)).toBe('no')
})
