import { expect, test } from 'vitest'
import { isFor, readSignIn } from './readSignIn.ts'

const address = '0x00000000000000000000000000000000000000AA'
const message = (domain: string, uri = 'https://app.example') =>
  `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nHi\n\nURI: ${uri}\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`
const isOurs = (text: string) => {
  const signIn = readSignIn(text)
  return typeof signIn === 'object' && isFor(signIn, 'https://app.example')
}

test('default: a sign-in to the page that asks', () => {
  expect(isOurs(message('app.example'))).toBe(true)
  expect(isOurs(message('https://app.example'))).toBe(true)
  expect(readSignIn('Hello')).toBe('none')
})

test('row 54: a sign-in to any other place is not one to this page', () => {
  const domains = ['evil.example', 'app.example.evil.example', 'app.example:8443', 'APP.example']
  for (const domain of [
    ...domains,
    'http://app.example',
    'аpp.example',
    'app.example@evil.example',
  ])
    expect(isOurs(message(domain))).toBe(false)
  expect(isOurs(message('app.example', 'https://evil.example'))).toBe(false)
})

test('row 54: what only looks like a sign-in counts as broken, not as a text', () => {
  for (const text of [
    message('app.example').replace('Ethereum account', 'Ethereum  account'),
    ` ${message('app.example')}`,
    message('app.example').replace('wants', 'wa\u200bnts'),
    message('app.example').replace('URI:', 'Uri:'),
    `${message('app.example')}\nURI: https://evil.example`,
    'evil.example ｗants you to sign in with your Ethereum account:',
  ])
    expect(readSignIn(text)).toBe('broken')
})
