import fc from 'fast-check'
import {
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializable,
} from 'viem'
import { privateKeyToAccount, signTransaction } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fromHex } from '../crypto/bytes.ts'
import type { EvmTransaction } from './evmTransaction.ts'
import { signEvmTransaction } from './signEvmTransaction.ts'

const privateKey = `0x${'4c'.repeat(32)}` as const
const key = fromHex(privateKey)
const account = privateKeyToAccount(privateKey)

const hex = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)
const amount = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })
const fee = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })
const fields = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: fc.integer({ min: 0, max: 2 ** 40 }),
  gas: fc.bigInt({ min: 21_000n, max: 1n << 63n }),
  to: fc.option(hex(20), { nil: undefined }),
  value: amount,
  data: fc
    .uint8Array({ maxLength: 300 })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const),
})
const accessList = fc.array(
  fc.record({ address: hex(20), storageKeys: fc.array(hex(32), { maxLength: 3 }) }),
  {
    maxLength: 3,
  },
)

test('signature vectors: types 0, 1 and 2 are byte for byte what viem signs', async () => {
  const kinds = fc.tuple(fields, accessList, fee, fee, fc.constantFrom(0, 1, 2))
  await fc.assert(
    fc.asyncProperty(kinds, async ([base, list, one, two, type]) => {
      const { to, ...rest } = base
      const shared = { ...(to && { to }), data: rest.data, chainId: rest.chainId }
      const numbers = {
        nonce: String(rest.nonce),
        gas: String(rest.gas),
        value: String(rest.value),
      }
      const [low = 0n, high = 0n] = [one, two].sort((a, b) => (a < b ? -1 : 1))
      const fees =
        type === 2 ? { maxFeePerGas: high, maxPriorityFeePerGas: low } : { gasPrice: high }
      const texts = Object.fromEntries(
        Object.entries(fees).map(([name, value]) => [name, String(value)]),
      )
      const ours = { type, ...shared, ...numbers, ...texts, ...(type > 0 && { accessList: list }) }
      const names = ['legacy', 'eip2930', 'eip1559'] as const
      const theirs = {
        type: names[type],
        ...shared,
        nonce: rest.nonce,
        gas: rest.gas,
        value: rest.value,
        ...fees,
        ...(type > 0 && { accessList: list }),
      } as TransactionSerializable
      const signed = signEvmTransaction(ours as EvmTransaction, key)
      expect(signed.raw).toBe(await signTransaction({ privateKey, transaction: theirs }))
      expect(signed.hash).toBe(keccak256(signed.raw))
    }),
    { numRuns: 150 },
  )
})

test("signature vectors: EIP-155's own example", () => {
  const example = {
    type: 0 as const,
    chainId: 1,
    nonce: '9',
    gas: '21000',
    gasPrice: '20000000000',
    to: `0x${'35'.repeat(20)}`,
    value: '1000000000000000000',
    data: '0x',
  }
  expect(signEvmTransaction(example, fromHex(`0x${'46'.repeat(32)}`)).raw).toBe(
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
  )
})

test('default: the sender is who signed', async () => {
  const transaction = {
    type: 2 as const,
    chainId: 31_337,
    nonce: '0x0',
    gas: '0x5208',
    to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    value: '0xde0b6b3a7640000',
    data: '0x',
    maxFeePerGas: '2000000000',
    maxPriorityFeePerGas: '1000000000',
    accessList: [],
  }
  const { raw } = signEvmTransaction(transaction, key)
  expect(parseTransaction(raw).value).toBe(10n ** 18n)
  const sender = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
  expect(sender).toBe(account.address)
})

test.each([
  ['a delegation (EIP-7702)', { type: 4, authorizationList: [] }],
  ['blobs (EIP-4844)', { type: 3, blobVersionedHashes: [] }],
  ['no type', { type: undefined }],
  ['an unknown field', { authorizationList: [] }],
  ['no chain', { chainId: 0 }],
  ['half a byte', { data: '0x1' }],
  ['a number beyond 256 bits', { value: '1'.repeat(78).replace('1', '9') }],
  ['a name for an address', { to: 'vitalik.eth' }],
])('error: %s is not signed', (_, change) => {
  const transaction = {
    type: 0,
    chainId: 1,
    nonce: '0',
    gas: '21000',
    to: `0x${'11'.repeat(20)}`,
    value: '0',
    data: '0x',
    gasPrice: '1',
    ...change,
  }
  expect(() => signEvmTransaction(transaction as EvmTransaction, key)).toThrow('cannot be signed')
})
