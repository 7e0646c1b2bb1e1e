import { decodeBase58 } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { buildTransaction, createKey } from '../../../../test/standardWallet.ts'
import { isAllowedModification } from './isAllowedModification.ts'
import { type ParsedTransaction, parseMessage, parseSignedTransaction } from './parseTransaction.ts'

const own = createKey(1).publicKey
const receiver = createKey(2).publicKey
const otherKey = createKey(3).publicKey
const system = new Uint8Array(32)
const key = (address: string) => decodeBase58(address) ?? new Uint8Array()
const budget = key('ComputeBudget111111111111111111111111111111')
const lighthouse = key('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95')

const parse = (...parameters: Parameters<typeof buildTransaction>) =>
  parseSignedTransaction(buildTransaction(...parameters)) as ParsedTransaction
const transfer = { program: 2, accounts: [0, 1], data: [2, 0, 0, 0, 1] }
const keys = [own, receiver, system]
const asked = parse({ keys, instructions: [transfer] })
const price = { program: 3, accounts: [], data: [3, 1] }
const assertion = { program: 3, accounts: [0], data: [6, 1] }

test('default', () => {
  expect(isAllowedModification(asked, parse({ keys, instructions: [transfer] }))).toBe(true)
})

test('behavior: a wallet may add assertions, and a priority fee if the page has set none', () => {
  const withBudget = [...keys, budget]
  const priced = parse({ keys: withBudget, instructions: [price, transfer] })
  expect(isAllowedModification(asked, priced)).toBe(true)
  const higher = parse({ keys: withBudget, instructions: [{ ...price, data: [3, 9] }, transfer] })
  expect(isAllowedModification(priced, higher)).toBe(false)
  expect(isAllowedModification(priced, asked)).toBe(false)
  const guarded = parse({ keys: [...keys, lighthouse], instructions: [transfer, assertion] })
  expect(isAllowedModification(asked, guarded)).toBe(true)
})

test.each([
  ['another receiver', { keys: [own, otherKey, system], instructions: [transfer] }],
  ['another amount', { keys, instructions: [{ ...transfer, data: [2, 0, 0, 0, 9] }] }],
  ['the transfer twice', { keys, instructions: [transfer, transfer] }],
  ['nothing', { keys, instructions: [] }],
  ['another blockhash', { keys, instructions: [transfer], blockhash: 8 }],
  ['another version', { keys, instructions: [transfer], version: 0 as const }],
  ['another signer', { keys: [otherKey, receiver, system], instructions: [transfer] }],
  [
    'a call of an unknown program',
    { keys: [...keys, otherKey], instructions: [transfer, { ...assertion }] },
  ],
  [
    'memory that Lighthouse writes at the expense of the account',
    { keys: [...keys, lighthouse], instructions: [transfer, { ...assertion, data: [0] }] },
  ],
])('error: %s', (_, changed) => {
  expect(isAllowedModification(asked, parse(changed))).toBe(false)
})

test('error: a transaction that others sign too may not change at all', () => {
  const shared = { keys: [own, receiver, otherKey, system], signers: 2 }
  const before = parse({ ...shared, instructions: [{ ...transfer, program: 3 }] })
  const guarded = parse({
    ...shared,
    keys: [...shared.keys, lighthouse],
    instructions: [
      { ...transfer, program: 3 },
      { ...assertion, program: 4 },
    ],
  })
  expect(isAllowedModification(before, before)).toBe(true)
  expect(isAllowedModification(before, guarded)).toBe(false)
})

// Made by @solana/kit: a SOL transfer and a memo of version 0 with a lookup table, and its legacy
// counterpart.
test.each([
  [
    'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAQACAztqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdopAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFSlNSKFTN0QPMLkYxo/UXkqxyfPHlCryXgorFmU88wkPGVcBdVOLY5pCbLzojiqfUjOv59dXwvMbMZUEGXHmVAgECAAMMAgAAAAUAAAAAAAAAAgACaGkBAnemr5czm3rIjRiSyQRG9QACMJJm9i5TwRgkSYIAAAABAAA=',
    0,
    2,
  ],
  [
    'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAIEO2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ikCAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABUpTUihUzdEDzC5GMaP1F5Kscnzx5Qq8l4KKxZlPPMJDxlXAXVTi2OaQmy86I4qn1Izr+fXV8LzGzGVBBlx5lQICAgABDAIAAAAFAAAAAAAAAAMAAmhp',
    'legacy',
    2,
  ],
] as const)('behavior: reads what a library writes', (base64, version, count) => {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  const transaction = parseSignedTransaction(bytes) as ParsedTransaction
  const message = parseMessage(transaction.message)
  expect(message.version).toBe(version)
  expect(message.instructions).toHaveLength(count)
  expect(message.instructions[0]?.program).toBe('11111111111111111111111111111111')
  expect(message.signers).toEqual(transaction.signers)
  for (let length = 0; length < bytes.length; length++)
    expect(parseSignedTransaction(bytes.slice(0, length))).toBeUndefined()
  expect(parseSignedTransaction(Uint8Array.from([...bytes, 0]))).toBeUndefined()
})
