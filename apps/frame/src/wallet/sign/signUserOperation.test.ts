import { recoverTransactionAddress, toBytes } from 'viem'
import { getUserOperationHash } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { parseTransaction, recoverAuthorizationAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import { delegateAddress, entryPointAddress } from '../../smartAccount.ts'
import { ending, operationToSign, revocation } from './operationSchema.ts'
import { signEnding, signRevocation, signUserOperation } from './signUserOperation.ts'

const secret = `0x${'01'.repeat(32)}` as const
const { address: owner, signAuthorization: signByViem } = privateKeyToAccount(secret)
const signer = { key: Uint8Array.from(toBytes(secret)), owner }
const operation = {
  chainId: 31_337,
  sender: owner,
  nonce: '0x50000000000000000',
  callData: '0xb61d27f6',
  callGasLimit: '0x1234',
  verificationGasLimit: '0x5678',
  preVerificationGas: '0x9abc',
  maxFeePerGas: '0xdef0',
  maxPriorityFeePerGas: '0x1',
  paymaster: {
    address: `0x${'22'.repeat(20)}`,
    verificationGasLimit: '0x7',
    postOpGasLimit: '0x8',
    data: '0x0102',
  },
}

test('default: the hash equals viem’s hash for our delegate, and the authorization names only our delegate', async () => {
  const { hash, authorization } = signUserOperation({ operation, authorize: '0x3' }, signer)
  const expected = getUserOperationHash({
    chainId: 31_337,
    entryPointAddress: entryPointAddress,
    entryPointVersion: '0.8',
    userOperation: {
      authorization: await signByViem({
        contractAddress: delegateAddress,
        chainId: 31_337,
        nonce: 3,
      }),
      factory: '0x7702',
      factoryData: '0x',
      sender: owner,
      nonce: 5n << 64n,
      callData: '0xb61d27f6',
      callGasLimit: 0x1234n,
      verificationGasLimit: 0x5678n,
      preVerificationGas: 0x9abcn,
      maxFeePerGas: 0xdef0n,
      maxPriorityFeePerGas: 1n,
      paymaster: `0x${'22'.repeat(20)}`,
      paymasterVerificationGasLimit: 7n,
      paymasterPostOpGasLimit: 8n,
      paymasterData: '0x0102',
      signature: '0x',
    },
  })
  expect(hash).toBe(expected)
  expect(authorization).toMatchObject({ address: delegateAddress, chainId: '0x7a69', nonce: '0x3' })
  const signed = {
    address: delegateAddress,
    chainId: 31_337,
    nonce: 3,
    r: authorization?.r as `0x${string}`,
    s: authorization?.s as `0x${string}`,
    yParity: Number(authorization?.yParity),
  } as const
  expect(await recoverAuthorizationAddress({ authorization: signed })).toBe(owner)
  expect(signUserOperation({ operation }, signer).authorization).toBeUndefined()
})

test('default: a revocation is a transaction to the account itself with the zero address and nothing else', async () => {
  const transaction = {
    chainId: 31_337,
    nonce: '0x4',
    gas: '0xea60',
    maxFeePerGas: '0x5',
    maxPriorityFeePerGas: '0x1',
  }
  const { raw } = signRevocation(transaction, signer)
  const parsed = parseTransaction(raw as `0x04${string}`)
  expect(parsed).toMatchObject({
    to: owner.toLowerCase(),
    nonce: 4,
    chainId: 31_337,
    type: 'eip7702',
  })
  expect(parsed.value ?? 0n).toBe(0n)
  expect(parsed.authorizationList).toMatchObject([
    { address: `0x${'00'.repeat(20)}`, chainId: 31_337, nonce: 5 },
  ])
  expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x04${string}` })).toBe(
    owner,
  )
})

test('default: the end of a delegation is the zero address on one network, at one nonce', async () => {
  const { address, chainId, nonce, r, s, yParity } = signEnding(
    { chainId: 31_337, nonce: '0x5' },
    signer.key,
  )
  expect({ address, chainId, nonce }).toEqual({
    address: `0x${'00'.repeat(20)}`,
    chainId: '0x7a69',
    nonce: '0x5',
  })
  const signed = { address, chainId: 31_337, nonce: 5, r, s, yParity: Number(yParity) }
  const authorization = signed as Parameters<typeof recoverAuthorizationAddress>[0]['authorization']
  expect(await recoverAuthorizationAddress({ authorization })).toBe(owner)
  expect(() => signEnding({ chainId: 0, nonce: '0x5' }, signer.key)).toThrow(/cannot be signed/)
  expect(ending.safeParse({ chainId: 31_337, nonce: '0x5' }).success).toBe(true)
  for (const given of [{ chainId: 0 }, { address: owner }, { nonce: '5' }])
    expect(ending.safeParse({ chainId: 31_337, nonce: '0x5', ...given }).success).toBe(false)
})

test('smart accounts: no network but one, no other sender, no other delegate or field', () => {
  const refused = /cannot be signed/
  const everywhere = { operation: { ...operation, chainId: 0 }, authorize: '0x0' }
  expect(() => signUserOperation(everywhere, signer)).toThrow(refused)
  const stranger = { ...operation, sender: `0x${'33'.repeat(20)}` }
  expect(() => signUserOperation({ operation: stranger }, signer)).toThrow(refused)
  const asked = { operation, authorize: '0x3' }
  expect(operationToSign.safeParse(asked).success).toBe(true)
  for (const change of [{ chainId: 0 }, { initCode: '0x' }, { delegate: owner }, { nonce: '-1' }])
    expect(operationToSign.safeParse({ operation: { ...operation, ...change } }).success).toBe(
      false,
    )
  expect(operationToSign.safeParse({ ...asked, delegate: owner }).success).toBe(false)
  const transaction = {
    chainId: 0,
    nonce: '0x4',
    gas: '0x1',
    maxFeePerGas: '0x5',
    maxPriorityFeePerGas: '0x1',
  }
  expect(revocation.safeParse(transaction).success).toBe(false)
  expect(revocation.safeParse({ ...transaction, chainId: 1, to: owner }).success).toBe(false)
})
