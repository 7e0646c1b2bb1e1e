import { expect, test } from 'vitest'
import { orderMessageParams } from './orderMessageParams.ts'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const lower = account.toLowerCase()

test('default: message, then address', () => {
  expect(orderMessageParams(['0x1234', account], account)).toEqual(['0x1234', account])
  expect(orderMessageParams([account, lower], account)).toEqual([account, lower])
  expect(orderMessageParams(['hi', '0x12'], account)).toEqual(['hi', '0x12'])
  expect(orderMessageParams(undefined, account)).toEqual([undefined, undefined])
})

test('behavior: swapped parameters are reordered if only the first parameter is the account', () => {
  expect(orderMessageParams([lower, '0x1234'], account)).toEqual(['0x1234', lower])
  expect(orderMessageParams([account, 'hi', 'password'], account)).toEqual(['hi', account])
})
