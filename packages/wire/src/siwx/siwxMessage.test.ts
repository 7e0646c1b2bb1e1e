import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChainId } from '../caip/caip.ts'
import { createSiwxMessage } from './createSiwxMessage.ts'
import { parseSiwxMessage } from './parseSiwxMessage.ts'
import type { SiwxMessage } from './siwxMessage.ts'

const message: SiwxMessage = {
  domain: 'shop.example:8443',
  accountAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 'eip155:1',
  statement: 'Sign in to the shop - now',
  uri: 'https://shop.example:8443/login?next=%2F',
  version: '1',
  nonce: 'a1B2c3D4e5',
  issuedAt: '2026-01-31T12:00:00.000Z',
  expirationTime: '2026-01-31T12:10:00+01:00',
  notBefore: '2026-01-31T11:59:00Z',
  requestId: 'order-7',
  resources: ['ipfs://bafy', 'https://shop.example/terms'],
}
const text = createSiwxMessage(message)
/** Parts of statements in tests; some are never allowed in a message. */
const pieces = [
  'a',
  'é',
  '商',
  ' ',
  ' ',
  'URI: ',
  '- ',
  '👩🏽',
  '\t',
  '\n',
  '\r',
  '\u2028',
  '\u202e',
  '\ud800',
]

const accounts = {
  'eip155:31337': message.accountAddress,
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ4sGjMW1sUnHz',
  'bip122:000000000019d6689c085ae165831e93': 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
  'polkadot:91b171bb158e2d3848fa23a9f1c25182': 'J9nD3s7zssCX7bion1xctAF6xcVexcpy2uwy4jTm9JL8yuK',
} as const

test('default: the form of EIP-4361', () => {
  expect(text).toBe(
    [
      'shop.example:8443 wants you to sign in with your Ethereum account:',
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '',
      'Sign in to the shop - now',
      '',
      'URI: https://shop.example:8443/login?next=%2F',
      'Version: 1',
      'Chain ID: 1',
      'Nonce: a1B2c3D4e5',
      'Issued At: 2026-01-31T12:00:00.000Z',
      'Expiration Time: 2026-01-31T12:10:00+01:00',
      'Not Before: 2026-01-31T11:59:00Z',
      'Request ID: order-7',
      'Resources:',
      '- ipfs://bafy',
      '- https://shop.example/terms',
    ].join('\n'),
  )
  expect(parseSiwxMessage(text)).toEqual({ message })
})

test('behavior: each namespace, with every combination of optional fields, reads back', () => {
  const optional = ['statement', 'expirationTime', 'notBefore', 'requestId', 'resources'] as const
  for (const [chainId, accountAddress] of Object.entries(accounts))
    fc.assert(
      fc.property(fc.subarray([...optional]), (left) => {
        const made = { ...message, chainId, accountAddress } as Record<string, unknown>
        for (const field of left) delete made[field]
        const read = parseSiwxMessage(createSiwxMessage(made as SiwxMessage))
        expect(read).toEqual({ message: made })
      }),
      { numRuns: 40 },
    )
})

test('behavior: every accepted statement reads back, and does not move into another line', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...pieces), minLength: 1, maxLength: 12 }),
      (statement) => {
        let made: string
        try {
          made = createSiwxMessage({ ...message, statement })
        } catch {
          return
        }
        expect(parseSiwxMessage(made)).toEqual({ message: { ...message, statement } })
      },
    ),
  )
})

test('behavior: all accepted fields read back, and none moves into another line', () => {
  const texts = Object.entries({ ...message, resources: undefined }).filter(([, value]) => value)
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.nat(60),
      fc.string({ unit: fc.constantFrom(...pieces, '1', 'Z', ':', '.'), maxLength: 3 }),
      ([field, value = ''], at, inserted) => {
        const altered = { ...message, [field]: value.slice(0, at) + inserted + value.slice(at) }
        let made: string
        try {
          made = createSiwxMessage(altered)
        } catch {
          return
        }
        expect(parseSiwxMessage(made)).toEqual({ message: altered })
      },
    ),
    { numRuns: 2_000 },
  )
})

test('behavior: a parsed message is exactly the message that its fields build', () => {
  fc.assert(
    fc.property(
      fc.nat(text.length),
      fc.nat(3),
      fc.string({ maxLength: 4 }),
      (at, removed, inserted) => {
        const altered = text.slice(0, at) + inserted + text.slice(at + removed)
        const read = parseSiwxMessage(altered)
        if (!('message' in read) || !/^[\n -~]*$/.test(altered)) return
        try {
          expect(createSiwxMessage(read.message)).toBe(altered)
        } catch (error) {
          // Accepted when reading, but not written: characters that EIP-4361 does not allow.
          expect(error).toMatchObject({ code: 'INVALID_PARAMS' })
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each([
  ['domain', { domain: 'user@shop.example' }],
  ['domain', { domain: 'shop.example/path' }],
  ['domain', { domain: 'shop.example:99999' }],
  ['accountAddress', { accountAddress: '0x12' }],
  ['accountAddress', { accountAddress: accounts['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] }],
  ['statement', { statement: ' ' }],
  ['uri', { uri: '/login' }],
  ['version', { version: '2' }],
  ['chainId', { chainId: 'eip155:1e3' }],
  ['nonce', { nonce: 'short' }],
  ['nonce', { nonce: 'with-dashes-in-it' }],
  ['issuedAt', { issuedAt: 'yesterday' }],
  ['issuedAt', { issuedAt: '2026-02-30T12:00:00Z' }],
  ['expirationTime', { expirationTime: '2026-01-31' }],
  ['notBefore', { notBefore: '12:00' }],
  ['requestId', { requestId: 'a b' }],
  ['resources', { resources: ['not a uri'] }],
  ['resources', { resources: Array.from({ length: 51 }, () => 'https://a.example') }],
  ['statement', { statement: 'Sign in\nto the shop' }],
  ['statement', { statement: null as unknown as string }],
  ['text', { statement: '\u3164' }],
  ['text', { statement: 'Sign in\u2800' }],
  ['statement', { statement: 'é' }],
  ['statement', { statement: 'Sign in to the "shop"' }],
  ['uri', { uri: 'https://shop.example:8443/é' }],
  ['resources', { resources: ['https://shop.example/<a>'] }],
  ['resources', { resources: 'https://shop.example' as unknown as string[] }],
  ['resources', { resources: [undefined] as unknown as string[] }],
  ['resources', { resources: null as unknown as string[] }],
  ['accountAddress', { accountAddress: message.accountAddress.replace('f39F', 'F39f') }],
  ['chainId', { chainId: 'cosmos:hub' }],
  ['chainId', { chainId: 'eip155:1:2' }],
  ['nonce', { nonce: 12345678 as unknown as string }],
  ['requestId', { requestId: null as unknown as string }],
  ...(
    ['domain', 'accountAddress', 'chainId', 'uri', 'version', 'nonce', 'issuedAt'] as const
  ).flatMap((field) => [
    [field, { [field]: undefined }] as const,
    [field, { [field]: null }] as const,
  ]),
] as const)('error: %s is named: %j', (field, change) => {
  const label = { ...message, ...change } as SiwxMessage
  expect(() => createSiwxMessage(label)).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining(`: ${field} of a sign-in message`),
    }),
  )
})

test('error: an address that is missing, in each namespace', () => {
  for (const chainId of Object.keys(accounts))
    for (const accountAddress of [undefined, null, 7, '']) {
      const fields = { ...message, chainId, accountAddress } as SiwxMessage
      expect(() => createSiwxMessage(fields)).toThrow('accountAddress of a sign-in message')
    }
})

test('error: the id of a network that is not a number', () => {
  expect(parseSiwxMessage(text.replace('Chain ID: 1', 'Chain ID: 1e3'))).toEqual({
    fault: 'chainId',
  })
})

test('behavior: EVM addresses are written with checksums; lower case is read, a wrong checksum is not', () => {
  const lower = message.accountAddress.toLowerCase()
  expect(createSiwxMessage({ ...message, accountAddress: lower })).toBe(text)
  const change = (address: string) => text.replace(message.accountAddress, address)
  for (const address of [lower, `0x${lower.slice(2).toUpperCase()}`])
    expect(parseSiwxMessage(change(address))).toMatchObject({
      message: { accountAddress: address },
    })
  expect(parseSiwxMessage(change(message.accountAddress.replace('f39F', 'F39f')))).toEqual({
    fault: 'accountAddress',
  })
})

test('behavior: a statement of others with letters outside ASCII is read', () => {
  expect(parseSiwxMessage(text.replace('now', 'Grüße 商店'))).toMatchObject({
    message: { statement: 'Sign in to the shop - Grüße 商店' },
  })
})

test.each([
  ['a second statement', text.replace('\n\nURI', '\nmore\n\nURI')],
  ['no blank line', text.replace('\n\nURI', '\nURI')],
  ['another order', text.replace(/(Version: 1)\n(Chain ID: 1)/, '$2\n$1')],
  ['a field twice', text.replace('Version: 1', 'Version: 1\nVersion: 1')],
  ['a line at the end', `${text}\n`],
  ['carriage returns', text.replaceAll('\n', '\r\n')],
  ['a hidden direction mark', text.replace('shop -', 'shop \u202e')],
  ['another account name', text.replace('Ethereum', 'Dogecoin')],
  ['a message too long', text + 'x'.repeat(8_000)],
  ['nothing', ''],
])('error: %s', (_, altered) => {
  expect(parseSiwxMessage(altered)).toEqual({ fault: 'text' })
})

test("behavior: Solana wallets' form: no empty line without a statement, and names of networks", () => {
  const address = accounts['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']
  const write = (chain: string) => `shop.example wants you to sign in with your Solana account:
${address}

URI: https://shop.example
Version: 1
Chain ID: ${chain}
Nonce: a1B2c3D4e5
Issued At: 2026-01-31T12:00:00Z`
  const message = {
    domain: 'shop.example',
    accountAddress: address,
    chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    uri: 'https://shop.example',
    version: '1',
    nonce: 'a1B2c3D4e5',
    issuedAt: '2026-01-31T12:00:00Z',
  }
  for (const chain of ['mainnet', 'solana:mainnet', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
    expect(parseSiwxMessage(write(chain))).toEqual({ message })
  expect(parseSiwxMessage(write('devnet'))).toMatchObject({
    message: { chainId: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' },
  })
  expect(parseSiwxMessage(write('testnet'))).toMatchObject({
    message: { chainId: 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z' },
  })
  expect(parseSiwxMessage(write('solana:elsewhere'))).toEqual({ fault: 'chainId' })
  const evm = write('mainnet').replace('Solana', 'Ethereum')
  expect(parseSiwxMessage(evm)).toEqual({ fault: 'text' })
})

test('behavior: a line that looks like a field is a statement in the place of one', () => {
  for (const [chainId, accountAddress] of Object.entries(accounts))
    for (const statement of ['URI: https://elsewhere.example', 'Nonce: 1', 'Resources:', '- a']) {
      const fields = { ...message, chainId: chainId as ChainId, accountAddress, statement }
      expect(parseSiwxMessage(createSiwxMessage(fields))).toEqual({ message: fields })
    }
})
