import { expect, test } from 'vitest'
import { readSafeBatch, readSafeTransaction } from './readSafeRequest.ts'

const safe = { safeAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3', chainId: 31337 }
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const codeOf = (act: () => unknown) => {
  try {
    act()
    return 'read'
  } catch (error) {
    return (error as { code?: string }).code
  }
}

test('default: a transaction with either name of its data, and with any fees', () => {
  const from = safe.safeAddress.toLowerCase()
  expect(
    readSafeTransaction({ from, to: bob, value: '0x2', gas: '0x1', maxFeePerGas: '0x1' }, safe),
  ).toEqual({ to: bob, value: '2', data: '0x' })
  const read = (fields: object) => readSafeTransaction({ to: bob, ...fields }, safe).data
  expect(read({ input: '0xabcd' })).toBe('0xabcd')
  expect(read({ data: '0xabcd', input: '0xABCD', type: '0x2', chainId: 31337 })).toBe('0xabcd')
  expect(read({ input: '0xabcd', type: 2 })).toBe('0xabcd')
  expect(read({ input: '0xabcd', data: '' })).toBe('0xabcd')
  for (const value of [null, '', '0x'])
    expect(readSafeTransaction({ to: bob, value, data: '' }, safe)).toEqual({
      ...{ to: bob, value: '0', data: '0x' },
    })
})

test.each([
  ['data and input that differ', { data: '0x01', input: '0x02' }, 'INVALID_PARAMS'],
  ['another network', { chainId: '0x1' }, 'INVALID_PARAMS'],
  ['another account', { from: bob }, 'UNAUTHORIZED'],
  ['a new contract', { to: null }, 'INVALID_PARAMS'],
  ['a value that is none', { value: '-1' }, 'INVALID_PARAMS'],
  ['data of half a byte', { data: '0x1' }, 'INVALID_PARAMS'],
  ['blobs', { blobVersionedHashes: ['0x01'] }, 'INVALID_PARAMS'],
  ['a type of blobs', { type: '0x3' }, 'INVALID_PARAMS'],
  ['a fee that is none', { maxFeePerGas: '0xzz' }, 'INVALID_PARAMS'],
  ['a tip that is none', { maxFeePerGas: '0x1', maxPriorityFeePerGas: 'abc' }, 'INVALID_PARAMS'],
  ['two kinds of fees', { gasPrice: '0x2', maxFeePerGas: '0x2' }, 'INVALID_PARAMS'],
  ['a gas price and a tip', { gasPrice: '0x2', maxPriorityFeePerGas: '0x1' }, 'INVALID_PARAMS'],
  [
    'a tip above the maximum',
    { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
    'INVALID_PARAMS',
  ],
  ['an account that becomes a contract', { authorizationList: [{}] }, 'INVALID_PARAMS'],
])('error: a transaction with %s', (_, fields, code) => {
  expect(codeOf(() => readSafeTransaction({ to: bob, ...fields }, safe))).toBe(code)
})

test('default: a batch, with capabilities that it can do without', () => {
  const calls = [
    { to: bob },
    { to: bob, value: '0x1', data: '0x12' },
    { to: bob, input: '0x34', chainId: '0x7a69' },
  ]
  const capabilities = { paymasterService: { url: 'https://pay.example', optional: true } }
  expect(readSafeBatch({ chainId: '0x7a69', calls, capabilities }, safe)).toEqual([
    { to: bob, value: '0', data: '0x' },
    { to: bob, value: '1', data: '0x12' },
    { to: bob, value: '0', data: '0x34' },
  ])
})

test.each([
  ['of another network', { chainId: '0x1' }, 'BATCH_CHAIN_UNSUPPORTED'],
  ['of another account', { from: bob }, 'UNAUTHORIZED'],
  ['that needs a capability', { capabilities: { paymasterService: {} } }, 'CAPABILITY_UNSUPPORTED'],
  [
    'of which a call needs one',
    { calls: [{ to: bob, capabilities: { flow: {} } }] },
    'CAPABILITY_UNSUPPORTED',
  ],
  ['with a call of another network', { calls: [{ to: bob, chainId: '0x1' }] }, 'INVALID_PARAMS'],
  [
    'with data and input that differ',
    { calls: [{ to: bob, data: '0x01', input: '0x02' }] },
    'INVALID_PARAMS',
  ],
  ['that creates a contract', { calls: [{ data: '0x60' }] }, 'INVALID_PARAMS'],
  ['without calls', { calls: [] }, 'INVALID_PARAMS'],
])('error: a batch %s', (_, fields, code) => {
  expect(codeOf(() => readSafeBatch({ calls: [{ to: bob }], ...fields }, safe))).toBe(code)
})
