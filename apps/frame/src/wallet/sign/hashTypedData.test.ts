import { bytesToHex } from '@latchkey/wire'
import fc from 'fast-check'
import { hashTypedData as hashOfViem } from 'viem'
import { expect, test } from 'vitest'
import { hashTypedData } from './hashTypedData.ts'
import type { TypedData } from './typedDataSchema.ts'

const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

test("default: EIP-712's own example", () => {
  expect(bytesToHex(hashTypedData(mail))).toBe(
    'be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
  )
})

const hex = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

const order = fc.record({
  maker: hex(20),
  amounts: fc.array(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }).map(String), { maxLength: 4 }),
  deltas: fc.tuple(fc.integer({ min: -128, max: 127 }), fc.integer({ min: -128, max: 127 })),
  open: fc.boolean(),
  salt: hex(32),
  tag: hex(4),
  data: fc.uint8Array({ maxLength: 70 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  note: fc.string({ unit: 'grapheme', maxLength: 40 }),
  legs: fc.array(
    fc.record({
      token: hex(20),
      ids: fc.array(fc.array(fc.nat().map(String), { maxLength: 3 }), { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
})

const types = {
  Order: [
    { name: 'maker', type: 'address' },
    { name: 'amounts', type: 'uint256[]' },
    { name: 'deltas', type: 'int8[2]' },
    { name: 'open', type: 'bool' },
    { name: 'salt', type: 'bytes32' },
    { name: 'tag', type: 'bytes4' },
    { name: 'data', type: 'bytes' },
    { name: 'note', type: 'string' },
    { name: 'legs', type: 'Leg[]' },
  ],
  Leg: [
    { name: 'token', type: 'address' },
    { name: 'ids', type: 'uint64[][]' },
  ],
}

test('signature vectors: nested structs, lists and every kind of value have the hash that viem gives', () => {
  fc.assert(
    fc.property(order, fc.nat(), (message, chainId) => {
      const data = { types, primaryType: 'Order', domain: { name: 'Shop', chainId }, message }
      const theirs = hashOfViem(data as unknown as Parameters<typeof hashOfViem>[0])
      expect(`0x${bytesToHex(hashTypedData(data))}`).toBe(theirs)
    }),
    { numRuns: 100 },
  )
})

const withField = (type: string, value: unknown): TypedData => ({
  types: { T: [{ name: 'x', type }] },
  primaryType: 'T',
  domain: {},
  message: { x: value },
})

test.each([
  ['uint8', 256],
  ['int8', -129],
  ['uint256', -1],
  ['uint256', 1.5],
  ['uint256', '0x'],
  ['uint7', 1],
  ['address', '0x11'],
  ['bytes4', '0x11'],
  ['bytes33', `0x${'11'.repeat(33)}`],
  ['bool', 1],
  ['string', -1],
  ['string', 1.5],
  ['string', true],
  ['bytes', 'text'],
  ['uint8[2]', [1]],
  ['uint8[]', 'x'],
  ['Missing', {}],
  ['T', 7],
  ['__proto__', {}],
])('error: %s of %j is not signed', (type, value) => {
  expect(() => hashTypedData(withField(type, value))).toThrow('cannot be signed')
})

test('error: a type that holds itself ends', () => {
  const deep: Record<string, unknown> = {}
  deep.x = deep
  expect(() => hashTypedData(withField('T', deep))).toThrow('cannot be signed')
})
