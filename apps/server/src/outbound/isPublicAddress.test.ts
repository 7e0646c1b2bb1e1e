import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from './isPublicAddress.ts'

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
])('default: %s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  // This host, its networks
  '0.0.0.0',
  '0.1.2.3',
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fc00::1',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  '2606:4700::1%lo',
  // Metadata servers
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  // Documentation, benchmarks, multicast, reserved
  '192.0.2.1',
  '198.51.100.7',
  '203.0.113.9',
  '198.18.0.1',
  '198.19.255.255',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '2001:db8::1',
  '3fff::1',
  '2001:2::1',
  'ff02::1',
  '100::1',
  // Another address inside
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0a00:0001',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '192.88.99.1',
])('behavior: %s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['', 'localhost', '1.1.1', '1.1.1.1.', '01.1.1.1', '0x1.1.1.1', '[::1]', ' 1.1.1.1'])(
  'error: %s is no address',
  (address) => {
    expect(isPublicAddress(address)).toBe(false)
  },
)

test('behavior: no IPv4 address becomes public by being written as IPv6', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const four = bytes.join('.')
      for (const prefix of ['::ffff:', '::', '64:ff9b::', '::ffff:0:'])
        expect(isPublicAddress(prefix + four)).toBe(false)
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'))
      expect(isPublicAddress(`2002:${hex[0]}${hex[1]}:${hex[2]}${hex[3]}::1`)).toBe(false)
    }),
  )
})
