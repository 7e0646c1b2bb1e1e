import { expect, test } from 'vitest'
import { account, createTestRequest } from '../../../test/testRequest.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { prepareTransaction } from './prepareTransaction.ts'

const address = `0x${'22'.repeat(20)}`
const key = `0x${'01'.repeat(32)}`

/** Prepares a payment whose page also sets these fields. */
const prepare = (fields: object) =>
  prepareTransaction(
    createTestRequest({
      method: 'eth_sendTransaction',
      params: [{ from: account, to: address, value: '0x1', ...fields }],
      read: async () => '0x1',
      keys: {} as ApprovalRequest['keys'],
    }),
  )

test.each([
  ['a gas price', { type: '0x0', gasPrice: '0x5' }],
  ['fees of EIP-1559', { type: '0x2', maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x5' }],
  ['fields that are null', { type: null, gasPrice: null, maxFeePerGas: '0x5', accessList: null }],
  ['no value and no data', { value: null, data: null, input: null, chainId: null }],
  ['empty texts', { value: '', data: '', input: '' }],
  ['empty bytes', { value: '0x', data: '0x', input: '' }],
  ['an access list', { accessList: [{ address, storageKeys: [key] }] }],
])('default: a page may name %s', async (_, fields) => {
  await expect(prepare(fields)).resolves.toHaveProperty('view')
})

test.each([
  [{ gasPrice: '0x5', maxFeePerGas: '0x5' }, 'gasPrice excludes maxFeePerGas'],
  [{ gasPrice: '0x5', maxPriorityFeePerGas: '0x0' }, 'gasPrice excludes maxFeePerGas'],
  [{ type: '0x2', gasPrice: '0x5' }, 'type 2 has no gasPrice'],
  [{ type: '0x0', maxFeePerGas: '0x5' }, 'type 0 has a gasPrice only'],
  [{ type: '0x01', maxPriorityFeePerGas: '0x5' }, 'type 1 has a gasPrice only'],
  [{ maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x6' }, 'above maxFeePerGas'],
  [{ type: '0x0', accessList: [] }, 'type 0 has no accessList'],
  [{ type: '0x3' }, 'no blob transactions'],
  [{ blobs: [] }, 'no blob transactions'],
  [{ blobVersionedHashes: [key] }, 'no blob transactions'],
  [{ maxFeePerBlobGas: '0x1' }, 'no blob transactions'],
  [{ type: '0x4' }, 'type 4'],
  [{ accessList: [{ address, storageKeys: ['0x01'] }] }, 'transaction'],
  [
    { accessList: Array.from({ length: 257 }, () => ({ address, storageKeys: [] })) },
    'transaction',
  ],
])('error: %j is refused', async (fields, reason) => {
  const refused = expect(prepare(fields)).rejects
  await refused.toMatchObject({
    code: 'INVALID_PARAMS',
    data: { reason: expect.stringContaining(reason) },
  })
})
