import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientAddress } from './clientAddress.ts'

const from = (forwardedFor: string | undefined, socketAddress: string | undefined = '9.9.9.9') => ({
  socketAddress,
  forwardedFor,
})

test.each([
  ['1.1.1.1', 0, '9.9.9.9'],
  ['1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1, 10.0.0.1', 2, '1.1.1.1'],
  ['1.1.1.1', 3, '1.1.1.1'],
  ['unknown', 1, '9.9.9.9'],
  [undefined, 1, '9.9.9.9'],
  ['2001:db8:1:2:3:4:5:6', 1, '2001:db8:1:2::/64'],
  ['2001:DB8::6', 1, '2001:db8:0:0::/64'],
])('default: %s behind %i of our proxies is %s', (forwardedFor, proxies, expected) => {
  expect(clientAddress(from(forwardedFor), proxies)).toBe(expected)
})

test('behavior: an IPv4 address in IPv6 clothes is the same client', () => {
  expect(clientAddress(from(undefined, '::ffff:127.0.0.1'), 0)).toBe('127.0.0.1')
  expect(clientAddress({ socketAddress: undefined, forwardedFor: undefined }, 0)).toBe('unknown')
})

test('behavior: any IPv6 address shares a bucket with its /64', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(clientAddress(from(undefined, address), 0)).toMatch(/::\/64$|^\d+\.\d+\.\d+\.\d+$/)
    }),
  )
})
