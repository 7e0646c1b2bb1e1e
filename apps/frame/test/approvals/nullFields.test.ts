import { isError } from '@latchkey/wire'
import { readConnectRequest } from '@latchkey/wire/siwx'
import { expect, test } from 'vitest'
import { encodeCalls } from '../../src/requests/calls/operation/accountCalls.ts'
import { parseSendCalls } from '../../src/requests/calls/parseCalls.ts'
import { parseUserOperation } from '../../src/requests/calls/parseUserOperation.ts'
import { parseSendTransaction } from '../../src/requests/evm/parseSendTransaction.ts'
import { checkTypedData } from '../../src/requests/evm/typedData/checkTypedData.ts'
import { parseGrant } from '../../src/requests/permissions/parseGrant.ts'
import { entryPointAddress } from '../../src/smartAccount.ts'
import { account, createTestRequest } from '../testRequest.ts'

const to = `0x${'22'.repeat(20)}` as const
const startMs = Date.parse('2026-01-31T12:00:00Z')
const request = (params: unknown) =>
  createTestRequest({
    method: '',
    params,
    read: () => Promise.reject(new Error('No node is asked')),
    keys: { do: () => Promise.reject(new Error('Nothing is signed')) },
    now: () => startMs,
  })
const nulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]))
const seconds = startMs / 1_000
const signer = {
  type: 'keys',
  data: { keys: [{ type: 'secp256r1', publicKey: `0x04${'11'.repeat(64)}` }] },
}

/** Each request with its required fields alone, and with all others as null. */
const requests = [
  {
    name: 'eth_sendTransaction',
    read: (params: unknown) => parseSendTransaction(request([params])),
    required: { to },
    optional: [
      ...['from', 'value', 'data', 'input', 'chainId', 'gas', 'gasLimit', 'nonce', 'type'],
      ...['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'accessList', 'authorizationList'],
      ...['blobs', 'blobVersionedHashes', 'maxFeePerBlobGas'],
    ],
  },
  {
    name: 'wallet_sendCalls',
    read: (params: unknown) => parseSendCalls(request([params])),
    required: { chainId: '0x1', calls: [{ to }] },
    optional: ['version', 'id', 'from', 'atomicRequired', 'capabilities'],
  },
  {
    name: 'a call of wallet_sendCalls',
    read: (call: unknown) => parseSendCalls(request([{ chainId: '0x1', calls: [call] }])),
    required: { to },
    optional: ['value', 'data', 'capabilities'],
  },
  {
    name: 'a capability of wallet_sendCalls',
    read: (capabilities: unknown) =>
      parseSendCalls(request([{ chainId: '0x1', calls: [{ to }], capabilities }])),
    required: {},
    optional: ['paymasterService'],
  },
  {
    name: 'eth_sendUserOperation',
    read: (params: unknown) => parseUserOperation(request([params, entryPointAddress])),
    required: { sender: account, callData: encodeCalls([{ to, value: 1n, data: '0x' }]) },
    optional: [
      ...['factory', 'factoryData', 'eip7702Auth', 'paymaster', 'nonce', 'signature'],
      ...['callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxFeePerGas'],
      ...['maxPriorityFeePerGas', 'paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'],
      'paymasterData',
    ],
  },
  {
    name: 'wallet_grantPermissions',
    read: (params: unknown) => parseGrant(request([params])),
    required: {
      chainId: '0x1',
      signer,
      rules: [{ type: 'expiry', data: { timestamp: seconds + 60 } }],
      permission: {
        type: 'native-token-periodic',
        data: { periodAmount: '0x1', periodDuration: 60, ...nulls('startTime', 'justification') },
        isAdjustmentAllowed: null,
      },
    },
    optional: ['address', 'expiry'],
  },
  {
    name: 'wallet_connect',
    read: (params: unknown) => readConnectRequest([params]),
    required: {},
    optional: ['version', 'capabilities'],
  },
  {
    name: 'a sign-in of wallet_connect',
    read: (signIn: unknown) =>
      readConnectRequest([{ capabilities: { signInWithEthereum: signIn } }]),
    required: { nonce: 'abcdef0123456789', chainId: '0x1' },
    optional: [
      ...['version', 'scheme', 'domain', 'uri', 'statement', 'issuedAt', 'expirationTime'],
      ...['notBefore', 'requestId', 'resources'],
    ],
  },
  {
    name: 'eth_signTypedData_v4',
    read: (domain: unknown) =>
      checkTypedData({
        types: { Mail: [{ name: 'text', type: 'string' }] },
        primaryType: 'Mail',
        domain,
        message: { text: 'hello' },
      }),
    required: { name: 'App' },
    optional: ['version', 'chainId', 'verifyingContract', 'salt'],
  },
] as const

for (const { name, read, required, optional } of requests)
  test(`default: ${name} accepts null for an optional field`, () => {
    const absent = read(required)
    for (const field of optional) expect(read({ ...required, [field]: null })).toEqual(absent)
    expect(read({ ...required, ...nulls(...optional) })).toEqual(absent)
  })

test('error: a required field that is null is missing, and typed data is signed as it is', () => {
  const codeOf = (read: () => unknown) => {
    try {
      return read()
    } catch (error) {
      return isError(error, 'INVALID_PARAMS') && error.data.reason
    }
  }
  expect(codeOf(() => parseSendCalls(request([{ chainId: '0x1', calls: null }])))).toBe('calls')
  expect(codeOf(() => parseSendCalls(request([{ chainId: null, calls: [{ to }] }])))).toBe(
    'chainId',
  )
  const mail = { types: { Mail: [{ name: 'text', type: 'string' }] }, primaryType: 'Mail' }
  expect(codeOf(() => checkTypedData({ ...mail, message: { text: null } }))).toContain('text')
  expect(codeOf(() => checkTypedData({ ...mail, domain: null, message: { text: 'a' } }))).toEqual(
    checkTypedData({ ...mail, message: { text: 'a' } }),
  )
})

test('param: a missing atomicRequired is false in every version, and a list of capabilities is bounded', () => {
  const batch = { chainId: '0x1', calls: [{ to }] }
  for (const version of [undefined, '1', '1.0', '2.0.0']) {
    expect(parseSendCalls(request([{ ...batch, version }])).isAtomic).toBe(false)
    const needed = { ...batch, version, atomicRequired: true }
    expect(parseSendCalls(request([needed])).isAtomic).toBe(true)
  }
  const names = Array.from({ length: 101 }, (_, at) => [`c${at}`, { optional: true }])
  const capabilities = Object.fromEntries(names)
  for (const many of [
    { ...batch, capabilities },
    { ...batch, calls: [{ to, capabilities }] },
  ])
    expect(() => parseSendCalls(request([many]))).toThrow('capabilities')
})
