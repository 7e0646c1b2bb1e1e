import { verifyKeySignature } from '@latchkey/wire/siwx'
import fc from 'fast-check'
import { bytesToHex, hexToBytes, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { isSignedByKey } from './isSignedByKey.ts'

const chainId = 'eip155:1'
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const account = privateKeyToAccount(generatePrivateKey())
const word = (value: bigint) => toHex(value, { size: 32 }).slice(2)

test('default: the signer of a message with any content', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (message) => {
      const signature = await account.signMessage({ message })
      const signed = { chainId, address: account.address, message, signature } as const
      expect(isSignedByKey(signed)).toBe(true)
      expect(isSignedByKey({ ...signed, message: `${message}!` })).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('behavior: answers as the verifier for other backends, for every form of a signature', async () => {
  const message = 'Sign in'
  const address = account.address
  const good = await account.signMessage({ message })
  const r = BigInt(good.slice(0, 66))
  const s = BigInt(`0x${good.slice(66, 130)}`)
  const v = good.slice(130)
  const other = v === '1b' ? '1c' : '1b'
  const forms: [string, boolean][] = [
    [good, true],
    [`0x${word(r)}${word(s)}${v === '1b' ? '00' : '01'}`, true],
    // The other s of the same signature (malleability).
    [`0x${word(r)}${word(order - s)}${other}`, true],
    [`0x${word(r)}${word(s)}${other}`, false],
    [`0x${word(r)}${word(s)}1d`, false],
    [`0x${word(0n)}${word(s)}${v}`, false],
    [`0x${word(r)}${word(0n)}${v}`, false],
    [`0x${word(order)}${word(s)}${v}`, false],
    [`0x${word(r)}${word(order)}${v}`, false],
    [`0x${'ff'.repeat(64)}${v}`, false],
    [good.slice(0, -2), false],
    [`${good}00`, false],
    ['0x', false],
  ]
  for (const [signature, expected] of forms) {
    const signed = { chainId, address, message, signature } as const
    expect([signature, isSignedByKey(signed)]).toEqual([signature, expected])
    expect([signature, verifyKeySignature(signed)]).toEqual([signature, expected])
  }
})

test('behavior: no altered byte gets another answer than from the verifier for other backends', async () => {
  const message = 'Sign in'
  const good = hexToBytes(await account.signMessage({ message }))
  fc.assert(
    fc.property(fc.nat(64), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = good.with(at, (good[at] ?? 0) ^ change)
      const signature = bytesToHex(bytes)
      const signed = { chainId, address: account.address, message, signature } as const
      expect(isSignedByKey(signed)).toBe(verifyKeySignature(signed))
      // The last byte has two encodings of the same bit.
      if (at < 64) expect(isSignedByKey(signed)).toBe(false)
    }),
    { numRuns: 200 },
  )
})
