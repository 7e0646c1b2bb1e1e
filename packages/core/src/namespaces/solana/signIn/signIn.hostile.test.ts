import { encodeBase58, isError } from '@latchkey/wire'
import { expect, test, vi } from 'vitest'
import { createWindow } from '../../../../test/page.ts'
import { createKey, createStandardWallet, signBytes } from '../../../../test/standardWallet.ts'
import { openApp, settle } from '../../../../test/tab.ts'
import { connect } from '../../../connection/connect.ts'
import { request } from '../../../connection/requests/request.ts'
import { solanaDevnet } from '../../../networks.ts'
import { formatSignIn } from './formatSignIn.ts'

const own = createKey(1)
const other = createKey(2)
const chainId = solanaDevnet.caipNetworkId
const input = {
  domain: 'app.example',
  statement: 'Grüße: click Sign in',
  uri: 'https://app.example/login',
  version: '1',
  chainId: 'devnet',
  nonce: 'oBbLoEldZs',
  issuedAt: '2026-01-01T00:00:00.000Z',
  resources: ['https://app.example/terms', 'urn:x:1'],
}
const text = `app.example wants you to sign in with your Solana account:
${own.address}

Grüße: click Sign in

URI: https://app.example/login
Version: 1
Chain ID: devnet
Nonce: oBbLoEldZs
Issued At: 2026-01-01T00:00:00.000Z
Resources:
- https://app.example/terms
- urn:x:1`
const utf8 = (words: string) => new TextEncoder().encode(words)

type Output = { account?: unknown; signedMessage?: unknown; signature?: unknown }

/** A connected wallet; with `answer` it composes sign-ins itself and returns this. */
async function open(answer?: (input: object) => Output) {
  const page = createWindow()
  vi.stubGlobal('window', page)
  const standard = createStandardWallet({ keys: [own] })
  const inputs: object[] = []
  if (answer)
    standard.wallet.features['solana:signIn'] = {
      signIn: async (given: object) => {
        inputs.push(given)
        return [answer(given)]
      },
    }
  const app = openApp({}, { networks: [solanaDevnet] })
  await settle()
  standard.register(page)
  await connect(app, { connectorId: 'solana:Sun Wallet' })
  const signIn = (params: object) => request(app, { method: 'solana_signIn', params, chainId })
  return { app, inputs, signIn }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (isError(error) ? error.code : error),
  )

test('default: the message follows the grammar, signed by the wallet either way', async () => {
  expect(formatSignIn(input, own.address)).toBe(text)
  const { domain, uri } = input
  expect(formatSignIn({ domain, uri }, own.address)).toBe(
    `app.example wants you to sign in with your Solana account:\n${own.address}\n\nURI: ${uri}`,
  )
  const signed = {
    address: own.address,
    signedMessage: encodeBase58(utf8(text)),
    signature: encodeBase58(signBytes(own, utf8(text))),
  }
  const plain = await open()
  expect(await plain.signIn({ ...input, pubkey: own.address })).toEqual(signed)
  plain.app.destroy()
  const answered = { account: { address: own.address }, signedMessage: utf8(text) }
  const wording = await open(() => ({ ...answered, signature: signBytes(own, utf8(text)) }))
  expect(await wording.signIn(input)).toEqual(signed)
  expect(wording.inputs).toEqual([{ ...input, address: own.address }])
  wording.app.destroy()
})

test('error: a wallet that signs in elsewhere, for longer, or by another account is refused', async () => {
  const by = (words: string, key = own, address = key.address): Output => ({
    account: { address },
    signedMessage: utf8(words),
    signature: signBytes(key, utf8(words)),
  })
  const good = by(text)
  const lies: Output[] = [
    by(text.replace('app.example wants', 'evil.example wants')),
    by(text.replace('Nonce: oBbLoEldZs', 'Nonce: 00000000')),
    by(`${text}\n- https://evil.example`),
    by(`${text}\n`),
    by(text.replace('\nResources', '\nExpiration Time: 2099-01-01T00:00:00Z\nResources')),
    by(text, other),
    by(text, other, own.address),
    { ...good, account: { address: other.address } },
    { ...good, account: undefined },
    { ...good, signature: new Uint8Array(64) },
    { ...good, signature: 'x' },
    { ...good, signedMessage: text },
  ]
  let lie: Output = {}
  const { app, signIn } = await open(() => lie)
  for (lie of [{}, ...lies])
    expect(await codeOf(signIn(input))).toMatch(/^WALLET_(SIGNED_OTHER|ANSWER_INVALID)$/)
  app.destroy()
})

test('error: what could be read as another part of the message is not asked for', async () => {
  const { app, signIn } = await open()
  const bad: [string, object][] = [
    ['a second line', { statement: 'Hello\nURI: https://evil.example' }],
    ['a separator', { statement: 'Hello\u2028URI: x' }],
    ['another domain behind it', { domain: 'app.example wants you' }],
    ['a user', { domain: 'app.example@evil.example' }],
    ['no domain', { domain: undefined }],
    ['no address of the page', { uri: undefined }],
    ['a line in the address', { uri: 'https://app.example\nVersion: 1' }],
    ['a short nonce', { nonce: '1' }],
    ['a day', { issuedAt: 'today' }],
    ['another version', { version: '2' }],
    ['a field of its own', { extra: 'x' }],
    ['an unknown field', { toString: 'x' }],
    ['no list', { resources: 'https://app.example' }],
    ['a line in a resource', { resources: ['https://app.example\n- urn:x:2'] }],
  ]
  for (const [what, change] of bad)
    expect([what, await codeOf(signIn({ ...input, ...change }))]).toEqual([what, 'INVALID_PARAMS'])
  expect(await codeOf(signIn({ ...input, pubkey: other.address }))).toBe('UNAUTHORIZED')
  app.destroy()
})
