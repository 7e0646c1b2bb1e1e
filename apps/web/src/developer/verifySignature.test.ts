import { encodeBase58 } from '@latchkey/wire'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { typedDataExample } from './typedDataExample.ts'
import * as verify from './verifySignature.ts'

const { verifyTypedData } = verify
const verifyMessage = (signed: Omit<Parameters<typeof verify.verifyMessage>[0], 'namespace'>) =>
  verify.verifyMessage({ namespace: 'eip155', ...signed })
const account = privateKeyToAccount(generatePrivateKey())
const { address } = account

test('default: a message, also in lower case', async () => {
  const signature = await account.signMessage({ message: 'Grüße 👋' })
  const verdict = { isValid: true, signer: address }
  expect(await verifyMessage({ address, message: 'Grüße 👋', signature })).toEqual(verdict)
  expect(
    await verifyMessage({ address: address.toLowerCase(), message: 'Grüße 👋', signature }),
  ).toEqual(verdict)
})

test('default: typed data, bound to its chain', async () => {
  const typedData = typedDataExample(31337)
  const { domain, primaryType, message, types } = typedData
  const signature = await account.signTypedData({
    domain,
    primaryType,
    message,
    types,
  } as Parameters<typeof account.signTypedData>[0])
  expect(await verifyTypedData({ address, typedData, signature })).toEqual({
    isValid: true,
    signer: address,
  })
  const other = await verifyTypedData({ address, typedData: typedDataExample(31338), signature })
  expect(other.isValid).toBe(false)
})

test('error: another message, another account and no signature', async () => {
  const signature = await account.signMessage({ message: 'one' })
  expect((await verifyMessage({ address, message: 'two', signature })).isValid).toBe(false)
  const other = privateKeyToAccount(generatePrivateKey()).address
  expect(await verifyMessage({ address: other, message: 'one', signature })).toEqual({
    isValid: false,
    signer: address,
  })
  for (const wrong of ['', '0x', '0x00', 'hello', `0x${'ab'.repeat(4000)}`])
    expect(await verifyMessage({ address, message: 'one', signature: wrong })).toEqual({
      isValid: false,
      signer: undefined,
    })
})

test('behavior: verifies a message signed on Solana', async () => {
  const message = 'Grüße 👋'
  const keys = (await crypto.subtle.generateKey('Ed25519', true, ['sign'])) as CryptoKeyPair
  const toBase58 = (bytes: ArrayBuffer) => encodeBase58(new Uint8Array(bytes))
  const own = toBase58(await crypto.subtle.exportKey('raw', keys.publicKey))
  const bytes = new TextEncoder().encode(message)
  const signature = toBase58(await crypto.subtle.sign('Ed25519', keys.privateKey, bytes))
  const signed = { namespace: 'solana', address: own, message, signature } as const
  expect(await verify.verifyMessage(signed)).toEqual({ isValid: true, signer: own })
  const wrong = { isValid: false, signer: undefined }
  for (const change of [
    { message: 'other' },
    { address: toBase58(new Uint8Array(32).fill(7).buffer) },
    { signature: 'O' },
    { signature: '' },
  ])
    expect(await verify.verifyMessage({ ...signed, ...change })).toEqual(wrong)
})
