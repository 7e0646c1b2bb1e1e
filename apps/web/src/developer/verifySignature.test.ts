import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { typedDataExample } from './typedDataExample.ts'
import { verifyMessage, verifyTypedData } from './verifySignature.ts'

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
