import { expect, test } from 'vitest'
import { comparePlace, readSignIn } from './readSignIn.ts'

const address = '0x00000000000000000000000000000000000000AA'
const message = (domain: string, uri = 'https://app.example') =>
  `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nHi\n\nURI: ${uri}\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`
const placeOf = (text: string, origin = 'https://app.example') => {
  const signIn = readSignIn(text)
  return typeof signIn === 'object' ? comparePlace(signIn, origin) : signIn
}

test('default: a sign-in to the page that asks', () => {
  expect(placeOf(message('app.example'))).toBe('page')
  expect(placeOf(message('https://app.example'))).toBe('page')
  expect(placeOf(message('app.example:443', 'https://app.example/login?a=b'))).toBe('page')
  expect(readSignIn('Hello')).toBe('none')
})

test('refused requests: a sign-in to any other place is not one to this page', () => {
  const domains = ['evil.example', 'app.example.evil.example', 'app.example:8443', 'APP.example']
  for (const domain of [...domains, 'аpp.example', 'http://evil.example'])
    expect(placeOf(message(domain)), domain).toBe('elsewhere')
  expect(placeOf(message('app.example@evil.example'))).toBe('broken')
  const uris = [
    'https://evil.example',
    'https://evilapp.example',
    'https://app.example.evil.example',
  ]
  for (const uri of [...uris, 'https://app.example@evil.example', 'app.example'])
    expect(placeOf(message('app.example', uri)), uri).toBe('elsewhere')
  expect(placeOf(message('app.example:443'), 'https://app.example:8443')).toBe('elsewhere')
})

test('behavior: another scheme, port or URI of the same site is not another site', () => {
  for (const uri of [
    'http://app.example',
    'https://app.example:8443/login',
    'https://www.app.example/login',
    'https://example',
    'did:key:z6Mk',
  ])
    expect(placeOf(message('app.example', uri)), uri).toBe('site')
  expect(placeOf(message('http://app.example'))).toBe('site')
  const [host, secure] = ['127.0.0.1:45191', 'https://127.0.0.1:45191']
  expect(placeOf(message(host, secure), `http://${host}`)).toBe('site')
})

test('behavior: a line of the statement that looks like a field is a statement', () => {
  for (const statement of [
    'URI: https://evil.example',
    'Chain ID: 5',
    'Nonce: 1',
    'Resources:',
    '- urn:recap:e30',
  ])
    for (const one of [statement, `${statement}\nand more`.replace(/^(URI|Chain)/, 'The $1')])
      expect(readSignIn(message('app.example').replace('Hi', one))).toMatchObject({
        uri: 'https://app.example',
        chainId: '1',
        givesRights: false,
      })
  expect(readSignIn(message('app.example').replace('Hi\n\n', '\n'))).toMatchObject({
    uri: 'https://app.example',
  })
})

test('behavior: a sign-in of Solana may have only an account', () => {
  const short = `app.example wants you to sign in with your Solana account:\nme`
  expect(placeOf(short)).toBe('page')
  expect(placeOf(short, 'https://evil.example')).toBe('elsewhere')
  expect(readSignIn(`${short}\n\nHi\n\nChain ID: devnet`)).toMatchObject({ chainId: 'devnet' })
  expect(readSignIn(short.replace('Solana', 'Ethereum'))).toBe('broken')
})

test('refused requests: a message that only looks like a sign-in counts as broken, not as plain text', () => {
  for (const text of [
    message('app.example').replace('Ethereum account', 'Ethereum  account'),
    ` ${message('app.example')}`,
    message('app.example').replace('wants', 'wa\u200bnts'),
    message('app.example').replace('URI:', 'Uri:'),
    `${message('app.example')}\nURI: https://evil.example`,
    message('app.example').replace('Hi', 'Hi\nURI: https://evil.example'),
    message('app.example').replace('Hi', 'URI: https://evil.example\n\nHi'),
    'evil.example ｗants you to sign in with your Ethereum account:',
  ])
    expect(readSignIn(text)).toBe('broken')
})
