import { Transaction } from '@scure/btc-signer'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { payPublicKeyHash } from './scripts.ts'
import { hashLegacy, hashTaproot, hashWitness, sighashTypes } from './sighash.ts'
import { decodeTransaction, encodeBitcoinTransaction, getTransactionId } from './transaction.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const toHex = (value: Uint8Array) => Buffer.from(value).toString('hex')

test('default: BIP-143’s native P2WPKH', () => {
  const transaction = decodeTransaction(
    bytes(
      '0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000',
    ),
    'unsigned',
  )
  const script = payPublicKeyHash(
    bytes('025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357'),
  )
  expect(toHex(script)).toBe('76a9141d0f172a0ecb48aee1be1f2687d2963ae33f71a188ac')
  const hash = hashWitness({ transaction, index: 1, sighash: 1, script, value: 600_000_000n })
  expect(toHex(hash)).toBe('c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670')
})

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff })
const value = fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n })
const script = fc.uint8Array({ minLength: 0, maxLength: 300 })
const anyTransaction = fc.record({
  version: uint32,
  lockTime: uint32,
  inputs: fc.array(
    fc.record({
      txid: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      index: uint32,
      sequence: uint32,
      script: fc.constant(new Uint8Array()),
      witness: fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  outputs: fc.array(fc.record({ value, script }), { minLength: 1, maxLength: 4 }),
})
const options = {
  allowUnknownVersion: true,
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  disableScriptCheck: true,
}

test('behavior: bytes, ids and hashes match another library, for every sighash type', () => {
  fc.assert(
    fc.property(anyTransaction, fc.array(value, { minLength: 4, maxLength: 4 }), (ours, values) => {
      const encoded = encodeBitcoinTransaction(ours)
      expect(decodeTransaction(encoded)).toEqual(ours)
      const theirs = Transaction.fromRaw(encoded, options)
      expect(getTransactionId(encoded)).toBe(theirs.id)
      const scripts = ours.inputs.map((_, at) => Uint8Array.of(0x51, 32, ...new Uint8Array(31), at))
      const spent = scripts.map((one, at) => ({ script: one, value: values[at] ?? 0n }))
      for (const index of ours.inputs.keys())
        for (const sighash of sighashTypes) {
          const single = (sighash & 0x1f) === 3 && index >= ours.outputs.length
          const own = { transaction: ours, index, sighash }
          const code = Uint8Array.of(0x76, 0xa9, 20, ...new Uint8Array(20), 0x88, 0xac)
          const amount = values[index] ?? 0n
          if (sighash !== 0)
            expect(hashWitness({ ...own, script: code, value: amount })).toEqual(
              theirs.preimageWitnessV0(index, code, sighash, amount),
            )
          if (single) expect(() => hashTaproot({ ...own, spent })).toThrow('Nothing to sign')
          else
            expect(hashTaproot({ ...own, spent })).toEqual(
              theirs.preimageWitnessV1(
                index,
                scripts,
                sighash,
                spent.map((one) => one.value),
              ),
            )
        }
    }),
    { numRuns: 60 },
  )
})

test('behavior: the hash of an input without witness, of a transaction of the network', () => {
  // Bitcoin's first payment, in block 170.
  const transaction = decodeTransaction(
    bytes(
      '0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000',
    ),
  )
  const own = transaction.outputs[1]?.script ?? new Uint8Array()
  const hash = hashLegacy({ transaction, index: 0, script: own })
  expect(toHex(hash)).toBe('7a05c6145f10101e9d6325494245adf1297d80f8f38d4d576d57cdba220bcb19')
})

test('error: invalid transactions', () => {
  const good = encodeBitcoinTransaction({
    version: 2,
    inputs: [
      { txid: new Uint8Array(32), index: 0, script: new Uint8Array(), sequence: 0, witness: [] },
    ],
    outputs: [{ value: 1n, script: new Uint8Array(300) }],
    lockTime: 0,
  })
  for (let length = 0; length < good.length; length++)
    expect(() => decodeTransaction(good.subarray(0, length))).toThrow(TypeError)
  expect(() => decodeTransaction(Uint8Array.of(...good, 0))).toThrow(TypeError)
  // A count of 2^64 - 1, and a count that is not in its shortest form.
  const count = [1, 0, 0, 0, ...new Array<number>(9).fill(0xff)]
  expect(() => decodeTransaction(Uint8Array.from(count))).toThrow(TypeError)
  expect(() => decodeTransaction(Uint8Array.of(1, 0, 0, 0, 0xfd, 1, 0))).toThrow('shortest')
  expect(getTransactionId(new Uint8Array())).toBeUndefined()
})
