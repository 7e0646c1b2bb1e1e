import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLoopbackOrigin, normalizePattern, originAllowed } from './originAllowed.ts'

test.each([
  ['https://app.example.com', ['https://app.example.com'], true],
  ['https://app.example.com', ['app.example.com'], true],
  ['http://app.example.com', ['https://app.example.com'], false],
  ['https://app.example.com:8443', ['https://app.example.com'], false],
  ['https://app.example.com:8443', ['app.example.com:8443'], true],
  ['https://app.example.com', ['app.example.com:443'], true],
  ['https://pr-7.example.com', ['https://*.example.com'], true],
  ['https://a.b.example.com', ['https://*.example.com'], false],
  ['https://a.b.example.com', ['*.*.example.com'], true],
  ['https://example.com', ['https://*.example.com'], false],
  ['https://evilexample.com', ['*example.com', 'example.com'], false],
  ['https://example.com.evil.org', ['example.com', '*.com'], false],
  ['https://my-app-x1y2-team.vercel.app', ['my-app-*-team.vercel.app'], true],
  ['https://my-app--team.vercel.app', ['my-app-*-team.vercel.app'], false],
  ['https://my-app-x.evil-team.vercel.app', ['my-app-*-team.vercel.app'], false],
  ['https://evil-my-app-x-team.vercel.app', ['my-app-*-team.vercel.app'], false],
  ['https://xn--bcher-kva.example', ['https://xn--bcher-kva.example'], true],
  ['chrome-extension://abcdef', ['chrome-extension://abcdef'], true],
  ['moz-extension://abcdef', ['chrome-extension://abcdef'], false],
  ['safari-web-extension://AB-12', ['safari-web-extension://ab-12'], true],
  ['app://com.example.shop', ['app://com.example.shop'], true],
  ['https://com.example.shop', ['app://com.example.shop'], false],
  ['https://anything.org', [], true],
  ['http://localhost:5173', ['https://example.com'], true],
  ['http://127.0.0.1:1', ['https://example.com'], true],
  ['null', ['https://example.com'], false],
  ['https://127.0.0.1.evil.org', ['https://example.com'], false],
])('default: %s with %j: %s', (origin, patterns, expected) => {
  expect(originAllowed(origin, patterns)).toBe(expected)
})

test('behavior: only this machine is loopback', () => {
  for (const origin of [
    'http://localhost',
    'https://localhost:1',
    'http://[::1]:3',
    'http://a.localhost',
  ])
    expect(isLoopbackOrigin(origin)).toBe(true)
  for (const origin of [
    'http://localhost.evil.org',
    'http://10.0.0.1',
    'null',
    '',
    'http://127.evil.org',
  ])
    expect(isLoopbackOrigin(origin)).toBe(false)
})

test('behavior: patterns are stored in one form', () => {
  expect(normalizePattern(' HTTPS://*.Example.com:443/ ')).toBe('https://*.example.com')
  expect(normalizePattern('My-App-*-team.vercel.app')).toBe('my-app-*-team.vercel.app')
  expect(normalizePattern('https://*.Bücher.example')).toBe('https://*.xn--bcher-kva.example')
  expect(normalizePattern('chrome-extension://ABCdef/')).toBe('chrome-extension://abcdef')
  expect(normalizePattern('moz-extension://a-b')).toBe('moz-extension://a-b')
  expect(normalizePattern('app://com.example.Shop')).toBe('app://com.example.shop')
  expect(normalizePattern('http://example.com:80')).toBe('http://example.com')
  expect(normalizePattern('example.com:443')).toBe('example.com:443')
})

test('error: invalid patterns', () => {
  for (const bad of [
    '',
    'ftp://a.b',
    '*example.com',
    'my-*.com',
    '**.example.com',
    'a*b*c.example.com',
    'bü*.example.com',
    'https://a.b?c',
    'https://a.b/path',
    'a b',
    'https://',
    'a..b',
    'javascript:alert(1)',
  ])
    expect(normalizePattern(bad)).toBeUndefined()
})

test('behavior: any origin matches itself and, a label more, no longer', () => {
  fc.assert(
    fc.property(fc.domain(), fc.constantFrom('http', 'https'), (domain, scheme) => {
      const origin = new URL(`${scheme}://${domain}`).origin
      const pattern = normalizePattern(origin)
      expect(pattern).toBe(origin)
      expect(originAllowed(origin, [origin])).toBe(true)
      expect(originAllowed(`${scheme}://x.${domain}`, [origin])).toBe(false)
      expect(originAllowed(`${scheme}://x.${domain}`, [`*.${domain}`.toLowerCase()])).toBe(true)
    }),
  )
})

test('behavior: never throws', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (origin, pattern) => {
      originAllowed(origin, [pattern])
      normalizePattern(pattern)
    }),
  )
})
