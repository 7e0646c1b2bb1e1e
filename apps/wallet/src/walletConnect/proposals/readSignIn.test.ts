import { expect, test } from 'vitest'
import { getDomainWarning } from './readSignIn.ts'

const ask = (domain: string, url: string, aud = url) =>
  getDomainWarning({
    authPayload: { domain, aud, version: '1', nonce: 'n', iat: '', chains: [] },
    requester: { name: 'App', description: '', url, icons: [] },
  })

test('default: no warning if domain and app address match', () => {
  expect(ask('app.example', 'https://app.example/login')).toBeUndefined()
  expect(ask('127.0.0.1:3000', 'http://127.0.0.1:3000')).toBeUndefined()
})

test('behavior: another domain, another audience, no address', () => {
  const text = (domain: string) =>
    `The message signs you in to ${domain}, but the app claims to be app.example. Reject it unless you know why.`
  expect(ask('bank.example', 'https://app.example')).toBe(text('bank.example'))
  expect(ask('xapp.example', 'https://app.example')).toBe(text('xapp.example'))
  expect(ask('app.example', 'https://app.example', 'https://bank.example')).toBe(
    text('app.example'),
  )
  expect(ask('app.example', '')).toBe(
    'The message signs you in to app.example. The app gave no address to compare it with.',
  )
})
