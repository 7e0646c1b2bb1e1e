import { isError } from '@latchkey/wire'
import { bytesToHex } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPairingUri, type PairingUri, parsePairingUri } from './uri.ts'

const topic = '7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9'
const symKey = '587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303'
const now = 1_700_000_000
const uri: PairingUri = { topic, symKey, relayProtocol: 'irn', methods: [] }

const messageOf = (text: string) => {
  try {
    return parsePairingUri(text, now)
  } catch (error) {
    expect(isError(error)).toBe(true)
    return (error as Error).message
  }
}

test('default', () => {
  const full = {
    ...uri,
    relayUrl: 'ws://127.0.0.1:4000/relay?a=b',
    expiry: now + 300,
    methods: ['wc_sessionPropose', 'wc_sessionAuthenticate'],
  }
  const text = formatPairingUri(full)
  expect(text).toMatchInlineSnapshot(
    `"wc:7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9@2?relay-protocol=irn&relay-data=77733a2f2f3132372e302e302e313a343030302f72656c61793f613d62&symKey=587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303&expiryTimestamp=1700000300&methods=wc_sessionPropose%2Cwc_sessionAuthenticate"`,
  )
  expect(parsePairingUri(text, now)).toEqual(full)
})

test('behavior: the example of the specification', () => {
  const text = `wc:${topic}@2?symKey=${symKey}&methods=wc_sessionPropose, wc_sessionAuthenticate&relay-protocol=irn`
  const methods = ['wc_sessionPropose', 'wc_sessionAuthenticate']
  expect(parsePairingUri(text, now)).toEqual({ ...uri, methods })
  expect(
    parsePairingUri(text.replace('wc_sessionPropose, ', '[wc_sessionPropose],['), now),
  ).toEqual({ ...uri, methods })
})

test('behavior: two slashes, base64, white space around and other parameters do no harm', () => {
  const text = formatPairingUri(uri)
  const slashes = text.replace('wc:', 'wc://')
  for (const other of [
    slashes,
    ` ${text}\n`,
    `${text}&other=1`,
    btoa(text),
    btoa(slashes),
    btoa(text).replace(/=+$/, ''),
    text.replace(symKey, symKey.toUpperCase()),
  ])
    expect(parsePairingUri(other, now), other).toEqual(uri)
})

test('behavior: links of wallets, quotes, capitals, entities and encodings around a URI', () => {
  const full = { ...uri, relayUrl: 'ws://127.0.0.1:4000/r', expiry: now + 300 }
  const text = formatPairingUri(full)
  const once = encodeURIComponent(text)
  for (const other of [
    `https://wallet.example/wc?uri=${once}`,
    `https://wallet.example/wc?uri=${once}&redirect=app%3A%2F%2F#top`,
    `https://wallet.example/#/wc?a=b&uri=${once}`,
    `metamask://wc?uri=${once}`,
    `x-wc://wc?uri=${text}`,
    `wc://wc?uri=${text}#top`,
    `https://wallet.example/wc?uri=${encodeURIComponent(once)}`,
    once,
    encodeURIComponent(once),
    once.toLowerCase(),
    text.replaceAll('&', '&amp;'),
    text.replaceAll('&', '&#38;'),
    `"${text}"`,
    `“${text}”`,
    `<${text}>`,
    `<a href="${text}">Connect</a>`,
    `\`${text}\`.`,
    `Connect: ${text}.`,
    text.replace('wc:', 'WC:'),
    text.toUpperCase(),
  ])
    expect(parsePairingUri(other, now), other).toEqual(full)
})

test('error: two values for one parameter, also in other letters', () => {
  expect(messageOf(`wc:${topic}@2?relay-protocol=irn&symKey=${symKey}&SYMKEY=${symKey}`)).toContain(
    'symKey stands twice',
  )
})

test('behavior: relay-data that is no relay address is left out', () => {
  const hex = (data: string) => bytesToHex(new TextEncoder().encode(data))
  for (const data of ['', 'xyz', 'a', hex('https://a.example'), hex('wss://u:p@a.example'), 'ff'])
    expect(parsePairingUri(`${formatPairingUri(uri)}&relay-data=${data}`, now)).toEqual(uri)
})

test('error: invalid pairing URIs, with the reason', () => {
  const text = formatPairingUri({ ...uri, expiry: now })
  expect([
    messageOf(text),
    messageOf(''),
    messageOf('https://example.org'),
    messageOf(text.replace('@2', '@1')),
    messageOf(text.replace('@2', '')),
    messageOf(text.replace('@2', '@2@2')),
    messageOf(text.replace(topic, 'abc')),
    messageOf(text.replace(symKey, 'abc')),
    messageOf(text.replace('symKey', 'key')),
    messageOf(text.replace('irn', 'waku')),
    messageOf(`${text}&symKey=${symKey}`),
    messageOf(text.replace(String(now), '1e9')),
    messageOf(`${text}&other=${'x'.repeat(5000)}`),
  ]).toMatchInlineSnapshot(`
    [
      "This WalletConnect link has expired. Create a new one in the app",
      "This is not a WalletConnect link: it does not begin with wc:",
      "This is not a WalletConnect link: it does not begin with wc:",
      "This is not a WalletConnect link: version 1 is not supported",
      "This is not a WalletConnect link: it names no version",
      "This is not a WalletConnect link: it names no version",
      "This is not a WalletConnect link: its topic is malformed",
      "This is not a WalletConnect link: symKey is not a key",
      "This is not a WalletConnect link: symKey is not a key",
      "This is not a WalletConnect link: its relay protocol is not irn",
      "This is not a WalletConnect link: symKey stands twice",
      "This is not a WalletConnect link: its expiry is not a number",
      "This is not a WalletConnect link: it is too long",
    ]
  `)
})

test('behavior: a written URI reads back, in either form', () => {
  const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))
  const any = fc.record(
    {
      topic: hex32,
      symKey: hex32,
      relayProtocol: fc.constant('irn'),
      methods: fc.array(fc.stringMatching(/^\w{1,20}$/), { maxLength: 5 }),
      relayUrl: fc.webUrl({ withQueryParameters: true }).map((url) => url.replace('http', 'ws')),
      expiry: fc.integer({ min: now + 1, max: 2 ** 40 }),
    },
    { requiredKeys: ['topic', 'symKey', 'relayProtocol', 'methods'] },
  )
  fc.assert(
    fc.property(any, (value) => {
      const text = formatPairingUri(value as PairingUri)
      expect(parsePairingUri(text, now)).toEqual(value)
      expect(parsePairingUri(btoa(text), now)).toEqual(value)
    }),
  )
})

test('error: any string is read, or refused with an error code', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('wc:', '//', topic, '@2', '?', '&', 'symKey=', symKey, 'relay-data=', '%ff'),
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      messageOf(parts.join(''))
    }),
    { numRuns: 1000 },
  )
})
