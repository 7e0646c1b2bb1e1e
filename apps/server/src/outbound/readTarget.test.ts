import { isError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { isPublicAddress } from './isPublicAddress.ts'
import { readTarget } from './readTarget.ts'

const none = { allow: new Set<string>(), ownNames: new Set(['wallet.example']) }

test('default', () => {
  expect(readTarget('https://Example.com/a b?c#d', none)).toEqual({
    url: new URL('https://example.com/a%20b?c'),
    host: 'example.com',
    port: 443,
    trusted: false,
  })
})

test('param: allow opens one host on one port', () => {
  const allow = new Set(['127.0.0.1:8080', '[::1]:80', 'node.lan:443'])
  const trusted = (url: string) => readTarget(url, { ...none, allow }).trusted
  expect(trusted('http://127.0.0.1:8080/x')).toBe(true)
  expect(trusted('http://2130706433:8080/x')).toBe(true)
  expect(trusted('http://[::1]/')).toBe(true)
  expect(readTarget('http://[::1]/', { ...none, allow }).host).toBe('::1')
  expect(trusted('https://node.lan/')).toBe(true)
  for (const url of [
    'http://127.0.0.1:8081/',
    'http://127.0.0.1/',
    'http://127.0.0.2:8080/',
    'http://localhost:8080/',
    'http://node.lan./',
    'http://node.lan:80/',
    'http://a.node.lan:443/',
  ])
    expect(() => trusted(url)).toThrow()
})

test.each([
  ['http://example.com/', 'example.com is not fetched: only https is'],
  ['ftp://example.com/', 'ftp: is not fetched: only https is'],
  ['file:///etc/passwd', 'file: is not fetched: only https is'],
  ['gopher://127.0.0.1:6379/_INFO', 'gopher: is not fetched: only https is'],
  ['data:text/plain,x', 'data: is not fetched: only https is'],
  ['javascript:alert(1)', 'javascript: is not fetched: only https is'],
  ['https://user@example.com/', 'example.com is not fetched: it carries credentials'],
  ['https://:secret@example.com/', 'example.com is not fetched: it carries credentials'],
  ['https://example.com@127.0.0.1/', '127.0.0.1 is not fetched: it carries credentials'],
  ['https://wallet.example/v1/nft', 'wallet.example is not fetched: it is this server'],
  ['https://Wallet.Example./', 'wallet.example. is not fetched: it is this server'],
  ['https://example.com:22/', 'example.com is not fetched: port 22 is not open to it'],
  ['https://example.com:8443/', 'example.com is not fetched: port 8443 is not open to it'],
  ['/etc/passwd', 'a URL is not fetched: it is not valid'],
  ['https://', 'a URL is not fetched: it is not valid'],
  ['https://exa mple.com/', 'a URL is not fetched: it is not valid'],
  ['https://[fe80::1%25eth0]/', 'a URL is not fetched: it is not valid'],
  ['https://256.1.1.1/', 'a URL is not fetched: it is not valid'],
  [`https://example.com/${'a'.repeat(3000)}`, 'a URL is not fetched: it is too long'],
])('error: %s', (url, message) => {
  let thrown: unknown
  try {
    readTarget(url, none)
  } catch (error) {
    thrown = error
  }
  expect(isError(thrown, 'OUTBOUND_REFUSED') && thrown.message).toBe(message)
})

test.each([
  'https://127.1/',
  'https://127.0.0.1./',
  'https://2130706433/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0x7f000001/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://0/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https:\\\\127.0.0.1\\',
  'https:127.0.0.1',
  'https://%31%32%37.0.0.1/',
  'https://[::1]/',
  'https://[0:0::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://3232235521/',
  'https://0xA9FEA9FE/',
  'https://ⓛ①②⑦.0.0.1/'.replace('ⓛ①②⑦', '①②⑦'),
])('behavior: %s is read as the address it is', (url) => {
  const { host, trusted } = readTarget(url, none)
  expect(host).toMatch(/^[\d.]+$|^[\da-f:]+$/)
  expect(isPublicAddress(host) || trusted).toBe(false)
})
