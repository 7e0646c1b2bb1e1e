import { expect, test } from 'vitest'
import { isOwnHost } from './isOwnHost.ts'

const config = { publicUrl: 'https://wallet.example', trustedProxies: 0 }

test.each([
  ['wallet.example', true],
  ['wallet.example:8443', true],
  ['localhost:3000', true],
  ['app.localhost', true],
  ['127.0.0.1:3000', true],
  ['[::1]:3000', true],
  ['192.168.1.5:3000', true],
  ['[fe80::1]:3000', true],
  [undefined, true],
  ['evil.example:3000', false],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['wallet.example.evil.example', false],
  ['', false],
  ['a b', false],
  ['x@127.0.0.1.evil.example', false],
])('default: %s: %s', (host, expected) => {
  expect(isOwnHost(config, host)).toBe(expected)
})

test('param: trustedProxies: the proxy decides', () => {
  expect(isOwnHost({ ...config, trustedProxies: 1 }, 'upstream')).toBe(true)
})
