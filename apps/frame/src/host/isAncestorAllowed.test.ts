import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAncestorAllowed } from './isAncestorAllowed.ts'

const sources = ['https://app.example', 'http://localhost:*', 'https://*.shop.example']

test('default: the origins that are listed', () => {
  expect(isAncestorAllowed('https://app.example', sources)).toBe(true)
  expect(isAncestorAllowed('http://localhost:5173', sources)).toBe(true)
  expect(isAncestorAllowed('https://a.shop.example', sources)).toBe(true)
  expect(isAncestorAllowed('https://app.example', [])).toBe(false)
})

test('origin tricks: origin tricks: only the exact origin is one', () => {
  const tricks = [
    'https://app.example.evil.example',
    'https://evil-app.example',
    'https://xapp.example',
    'https://app.example:8443',
    'https://app.example:443',
    'http://app.example',
    'HTTPS://APP.EXAMPLE',
    'https://APP.example',
    'https://app.example.',
    'https://app.example/',
    'https://app.example@evil.example',
    'https://аpp.example',
    'https://xn--pp-7kc.example',
    'null',
    '',
    'blob:https://app.example/1',
    'data:text/html,x',
    'about:blank',
    'file://',
    '*',
    'https://shop.example',
    'https://evilshop.example',
    'http://a.shop.example',
    'https://a.shop.example:444',
    'https://localhost:5173',
    'http://localhost.evil.example:5173',
    'http://localhost.:5173',
  ]
  expect(tricks.filter((origin) => isAncestorAllowed(origin, sources))).toEqual([])
})

test('origin tricks: a source that is no source allows nothing', () => {
  for (const source of [
    '*',
    'https:',
    "'self'",
    'https://*',
    '//app.example',
    'https://*app.example',
  ])
    expect(isAncestorAllowed('https://app.example', [source])).toBe(false)
})

test('origin tricks: behavior: no string other than a listed origin is ever allowed', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.domain()), (text) => {
      const listed =
        /^http:\/\/localhost(:\d+)?$/.test(text) || /^https:\/\/.+\.shop\.example$/.test(text)
      return !isAncestorAllowed(text, sources) || listed || text === 'https://app.example'
    }),
  )
})
