import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fromHex } from '../crypto/bytes.ts'
import { signEvmMessage } from './signEvmMessage.ts'

const privateKey = `0x${'4c'.repeat(32)}` as const
const account = privateKeyToAccount(privateKey)

test('signature vectors: personal_sign of any bytes is what viem signs (RFC 6979, low s)', async () => {
  const half = secp256k1.Point.Fn.ORDER / 2n
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (raw) => {
      const ours = signEvmMessage(raw, fromHex(privateKey))
      expect(ours).toBe(await account.signMessage({ message: { raw } }))
      expect(BigInt(`0x${ours.slice(66, 130)}`) <= half).toBe(true)
    }),
    { numRuns: 50 },
  )
})
