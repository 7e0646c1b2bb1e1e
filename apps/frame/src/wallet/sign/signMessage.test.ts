import { bytesToHex } from '@latchkey/wire'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fromHex } from '../crypto/bytes.ts'
import { signEvmMessage, signSolanaBytes } from './signMessage.ts'

const privateKey = `0x${'4c'.repeat(32)}` as const
const account = privateKeyToAccount(privateKey)

test('row 57: personal_sign of any bytes is what viem signs (RFC 6979, low s)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (raw) => {
      const ours = signEvmMessage(raw, fromHex(privateKey))
      expect(ours).toBe(await account.signMessage({ message: { raw } }))
    }),
    { numRuns: 50 },
  )
})

test('row 57: RFC 8032 test 3 of ed25519', () => {
  const secret = fromHex('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7')
  expect(bytesToHex(signSolanaBytes(fromHex('af82'), secret))).toBe(
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  )
})

test('behavior: a Solana signature verifies under the address', () => {
  const secret = fromHex('11'.repeat(32))
  const message = fromHex('00ff')
  const signature = signSolanaBytes(message, secret)
  expect(ed25519.verify(signature, message, ed25519.getPublicKey(secret))).toBe(true)
})
