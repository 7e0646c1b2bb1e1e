import { expect, test } from 'vitest'
import {
  buildReturn,
  getReturnUrl,
  readReturnAddress,
  saveReturn,
  takeReturn,
} from './windowReturn.ts'

const tx = 'A'.repeat(22)
const challenge = 'C'.repeat(43)
const own = { origin: 'https://frame.example' }

function createArea() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  } as Storage
}

test('default: the tab stores its return page once, and keeps the page’s fragment', () => {
  const area = createArea()
  const saved = {
    provider: 'github',
    challenge,
    returnUrl: 'https://shop.example/a?b=c#/d',
  } as const
  saveReturn(area, saved)
  const found = takeReturn(area)
  expect(found).toEqual(saved)
  expect(takeReturn(area)).toBe(undefined)
  expect(buildReturn(saved)).toBe(
    `https://shop.example/a?b=c#latchkey-login=github.${challenge}&/d`,
  )
  expect(buildReturn({ ...saved, returnUrl: 'https://shop.example/' })).toBe(
    `https://shop.example/#latchkey-login=github.${challenge}`,
  )
})

test('param: the fragment of the address', () => {
  expect(readReturnAddress(tx)).toEqual({ tx, returnUrl: undefined })
  const returnUrl = 'https://shop.example/a.b#c.d'
  expect(readReturnAddress(`${tx}.${encodeURIComponent(returnUrl)}`)).toEqual({ tx, returnUrl })
  expect(readReturnAddress(`${tx}.%`)).toEqual({ tx, returnUrl: undefined })
  for (const text of ['', 'done', `${tx}A`, `.${tx}`])
    expect(readReturnAddress(text)).toBe(undefined)
})

test('error: no window returns anywhere but to the very origin that began the login', () => {
  const origin = 'https://shop.example'
  expect(getReturnUrl(`${origin}/cart?x=1#y`, origin, own)).toBe(`${origin}/cart?x=1#y`)
  for (const url of [
    undefined,
    '',
    '/cart',
    '//shop.example/',
    'http://shop.example/',
    'https://shop.example:8443/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://evil.example@shop.example/',
    'https://shop.example%2eevil.example/',
    'https://evil.example/#https://shop.example/',
    'javascript:alert(1)//https://shop.example',
    'data:text/html,https://shop.example',
    'blob:https://shop.example/0b1b2c3d',
    'https://sub.shop.example/',
    'https://shop.example./',
  ])
    expect([url, getReturnUrl(url, origin, own)]).toEqual([url, undefined])
  expect(getReturnUrl('null', 'null', own)).toBe(undefined)
  expect(getReturnUrl('data:text/html,x', 'null', own)).toBe(undefined)
})

test('login begun by others: no window returns to our origin: the link would look like ours', () => {
  // The page of an export begins logins at our origin, and so can an attacker.
  for (const path of ['/visit', '/approve', '/device', '/'])
    expect(getReturnUrl(`${own.origin}${path}#${tx}.${challenge}`, own.origin, own)).toBe(undefined)
})

test('error: what is stored otherwise is nothing', () => {
  const area = createArea()
  for (const text of ['', '{}', 'x', JSON.stringify({ provider: 'github', challenge: 'x' })]) {
    area.setItem('latchkey-social-return', text)
    expect(takeReturn(area)).toBe(undefined)
  }
})
