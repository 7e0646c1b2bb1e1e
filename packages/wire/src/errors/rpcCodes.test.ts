import { expect, test } from 'vitest'
import { getRpcCode } from './rpcCodes.ts'

test('default: errors have the numbers that clients look for', () => {
  expect(getRpcCode('CHAIN_NOT_SUPPORTED')).toBe(4902)
  expect(getRpcCode('CHAIN_NOT_SWITCHED')).toBe(4902)
  expect(getRpcCode('RATE_LIMITED')).toBe(-32005)
  expect(getRpcCode('INVALID_CHAIN_ID')).toBe(-32602)
  expect(getRpcCode('MISSING_CAPABILITIES_ADDRESS')).toBe(-32602)
})
