import { encodeBase58 } from '@latchkey/wire'
import { keccak256, serializeTransaction, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { account, createTestRequest, prepareRequest } from '../../test/testRequest.ts'

const keys = { do: async (_: string, { message }: { message: string }) => ({ signature: message }) }
const preparedOf = async (message: unknown) =>
  prepareRequest(
    createTestRequest({
      method: 'personal_sign',
      params: [message, account],
      read: () => Promise.reject(new Error('Nothing is read here')),
      keys: keys as never,
    }),
  )
const shownOf = async (message: unknown) => (await preparedOf(message)).view
const warned = async (message: unknown) =>
  (await shownOf(message)).warnings.map(({ level, text }) => `${level}: ${text}`).join()
const signIn = (more: Record<string, string> = {}) => {
  const { domain = 'app.example', network = 'Ethereum', chain = 'Chain ID: 1', end = '' } = more
  return `${domain} wants you to sign in with your ${network} account:\n${account}\n\nHi\n\nURI: https://app.example\nVersion: 1\n${chain}\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z${end}`
}

test('default: shows a message as it is in any encoding, and signs it', async () => {
  for (const message of [
    'Grüße',
    stringToHex('Grüße'),
    stringToHex('Grüße').toUpperCase().replace('X', 'x'),
  ]) {
    const { view, approve } = await preparedOf(message)
    expect(view).toMatchObject({ title: 'Sign this message?', warnings: [] })
    expect(view.rows).toEqual([{ label: 'Message', text: 'Grüße' }])
    expect(await approve()).toBe(stringToHex('Grüße'))
  }
})

test('error: bytes that may be a fingerprint, a transaction or anything are a danger', async () => {
  const hash = keccak256('0x01')
  expect(await warned(hash)).toContain('danger: These 32 bytes may be the fingerprint')
  expect(await warned(hash.slice(2))).toContain('danger: These 32 bytes may be the fingerprint')
  expect(await warned(` ${hash} `)).toContain('danger: These 32 bytes may be the fingerprint')
  // 32 bytes that were searched until they are text.
  expect(await warned(stringToHex('0123456789abcdef0123456789abcde\n'))).toContain('danger')
  const legacy = serializeTransaction({
    to: account,
    value: 1n,
    gas: 21_000n,
    gasPrice: 1n,
    nonce: 0,
    data: `0x${'11'.repeat(60)}`,
  })
  const fees = serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    to: account,
    data: `0x${'11'.repeat(60)}`,
  })
  for (const blob of [legacy, fees]) expect(await warned(blob)).toContain('look like a transaction')
  expect(await warned('0x80ff')).toContain('danger: This is not text')
})

test('error: writes out characters that hide or reverse text', async () => {
  for (const mark of ['\u202e', '\u200b', '\ufeff', '\u2066', '\u0000']) {
    const view = await shownOf(`Pay ${mark}nothing`)
    expect(view.rows[0]?.text).toBe(`Pay \\u{${mark.charCodeAt(0).toString(16)}}nothing`)
    expect(view.warnings).toMatchObject([{ level: 'danger' }])
  }
})

test('error: a sign-in that lies about place, account or form cannot be signed', async () => {
  expect((await shownOf(signIn())).blocked).toBeUndefined()
  const lies = [
    signIn({ domain: 'evil.example' }),
    signIn({ domain: 'app.example.evil.example' }),
    signIn({ chain: 'Chain ID: 1\nChain ID: 2' }),
    signIn({ network: 'Solana' }),
    signIn({ network: 'Bitcoin' }),
    signIn().replace(account, `0x${'22'.repeat(20)}`),
    signIn().replace('URI: https://app.example', 'URI: https://evil.example'),
    `\n${signIn()}`,
    `Welcome!\n\n${signIn({ domain: 'evil.example' })}`,
    signIn({ domain: 'evil.example' }).replace('wants you', 'wants\u200b you'),
    signIn({ domain: 'evil.example' }).replaceAll(' ', '\u00a0'),
  ]
  for (const lie of lies) {
    expect((await shownOf(lie)).blocked).toBeTypeOf('string')
    expect((await shownOf(stringToHex(lie))).blocked).toBeTypeOf('string')
  }
})

test('behavior: another network, scheme or URI of the same site is a caution with a true sentence', async () => {
  expect(await warned(signIn({ chain: 'Chain ID: 2' }))).toBe(
    'caution: This sign-in is for another network (2) than the current network (One).',
  )
  for (const place of ['http://app.example', 'https://app.example:8443/a', 'did:key:z6Mk']) {
    const text = signIn().replace('URI: https://app.example', `URI: ${place}`)
    expect((await shownOf(text)).blocked).toBeUndefined()
    expect(await warned(text)).toBe(
      `caution: This sign-in is for ${place}, but the request comes from https://app.example.`,
    )
  }
  expect(await warned(signIn({ domain: 'http://app.example' }))).toContain(
    'is for http://app.example,',
  )
  expect((await shownOf(signIn().replace('Hi', 'URI: https://evil.example'))).blocked).toBe(
    undefined,
  )
})

test('behavior: an address in lower case is the same account, an address with a wrong checksum is refused', async () => {
  const own = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const blockedFor = async (written: string) => {
    const request = createTestRequest({
      method: 'personal_sign',
      params: [signIn().replace(account, written), own.toLowerCase()],
      read: async () => '0x',
      keys: keys as never,
      accounts: { eip155: own, solana: '' },
    })
    return (await prepareRequest(request)).view.blocked
  }
  const upper = `0x${own.slice(2).toUpperCase()}`
  for (const written of [own, own.toLowerCase(), upper])
    expect(await blockedFor(written)).toBeUndefined()
  expect(await blockedFor(own.replace('f39F', 'F39f'))).toContain('wrong checksum')
  expect(await blockedFor(account)).toContain('another account')
})

test('error: warns about a sign-in that grants capabilities', async () => {
  expect(await warned(signIn({ end: '\nResources:\n- urn:recap:eyJhdHQiOnt9fQ' }))).toContain(
    'rights',
  )
  expect(await warned(signIn({ end: '\nResources:\n- https://app.example/terms' }))).toBe('')
})

test('behavior: swapped parameters are put right', async () => {
  const { view, approve } = await prepareRequest(
    createTestRequest({
      method: 'personal_sign',
      params: [account, stringToHex('Hi')],
      read: async () => '0x',
      keys: keys as never,
    }),
  )
  expect(view.rows).toEqual([{ label: 'Message', text: 'Hi' }])
  expect(await approve()).toBe(stringToHex('Hi'))
})

test('error: a message in the name of another account is refused', async () => {
  for (const other of [`0x${'22'.repeat(20)}`, undefined, 7])
    await expect(
      (async () =>
        prepareRequest(
          createTestRequest({
            method: 'personal_sign',
            params: ['Hi', other],
            read: async () => '0x',
            keys: keys as never,
          }),
        ))(),
    ).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

const solana = async (bytes: Uint8Array, pubkey = 'me') =>
  (
    await prepareRequest(
      createTestRequest({
        method: 'solana_signMessage',
        params: { message: encodeBase58(bytes), pubkey },
        read: async () => '0x',
        keys: keys as never,
        chain: {
          id: 'solana:x',
          namespace: 'solana',
          reference: 'x',
          name: 'S',
          symbol: 'SOL',
          decimals: 9,
        },
        accounts: { eip155: account, solana: 'me' },
      }),
    )
  ).view
const utf8 = (text: string) => new TextEncoder().encode(text)
const transaction = (version: readonly number[]) =>
  Uint8Array.from([
    ...version,
    ...[1, 0, 1, 2],
    ...[1, 2, 3].flatMap((byte) => new Array<number>(32).fill(byte)),
    ...[1, 1, 1, 0, 0, ...version.slice(0, 1).fill(0)],
  ])

test('Solana: a message is blocked if it is a transaction or for another site; non-text is a danger', async () => {
  expect((await solana(utf8('Hello'))).warnings).toEqual([])
  for (const version of [[], [0x80], [0x81]])
    expect((await solana(transaction(version))).blocked).toContain('transaction in disguise')
  expect((await solana(Uint8Array.from([255, 1]))).blocked).toContain('transaction in disguise')
  expect((await solana(Uint8Array.from([1, 255]))).warnings).toMatchObject([{ level: 'danger' }])
  expect((await solana(new Uint8Array(32).fill(65))).warnings).toMatchObject([{ level: 'danger' }])
  const foreign =
    'evil.example wants you to sign in with your Solana account:\nme\n\nURI: https://evil.example\nVersion: 1'
  expect((await solana(utf8(foreign))).blocked).toContain('evil.example')
  const own = (chain: string) =>
    utf8(
      `app.example wants you to sign in with your Solana account:\nme\n\nURI: https://app.example\nVersion: 1\nChain ID: ${chain}`,
    )
  expect(await solana(own('x'))).toMatchObject({ title: 'Sign in?', warnings: [] })
  expect((await solana(own('devnet'))).warnings).toMatchObject([{ level: 'caution' }])
  await expect(solana(utf8('Hello'), 'other')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})
