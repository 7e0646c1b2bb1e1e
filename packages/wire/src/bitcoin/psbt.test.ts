import { readFileSync } from 'node:fs'
import { Transaction } from '@scure/btc-signer'
import { expect, test } from 'vitest'
import { decodePsbt, encodePsbt, findField, isPsbtVersion2, type PsbtField } from './psbt.ts'

const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))
const toBase64 = (value: Uint8Array) => Buffer.from(value).toString('base64')

/** The test vectors of BIP-174 and BIP-371, by their names. */
const vectors: Readonly<Record<'valid' | 'invalid', Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(new URL('../../test/psbtVectors.json', import.meta.url), 'utf8'),
)
const getValid = (name: string) => bytes(vectors.valid[name] ?? '')

test.each(Object.entries(vectors.valid))('default: %s, and back', (_, base64) => {
  const psbt = decodePsbt(bytes(base64))
  expect(toBase64(encodePsbt(psbt))).toBe(base64)
  expect(isPsbtVersion2(bytes(base64))).toBe(false)
})

test('error: a PSBT of version 2 is recognized', () => {
  const transaction = new Transaction({ PSBTVersion: 2, allowUnknownOutputs: true })
  transaction.addInput({ txid: new Uint8Array(32).fill(1), index: 0 })
  transaction.addOutput({ script: Uint8Array.of(0x6a), amount: 0n })
  const psbt = transaction.toPSBT(2)
  expect(() => decodePsbt(psbt)).toThrow(TypeError)
  expect(isPsbtVersion2(psbt)).toBe(true)
  expect(isPsbtVersion2(psbt.subarray(0, 8))).toBe(false)
})

test.each(Object.entries(vectors.invalid))('error: %s', (_, base64) => {
  expect(() => decodePsbt(bytes(base64))).toThrow(TypeError)
})

const key = Uint8Array.of(2, ...new Uint8Array(32).fill(7))
/** A PSBT with additional fields of its only input, its only output, or its global map. */
function withField(place: 'global' | 'inputs' | 'outputs', field: PsbtField) {
  const psbt = decodePsbt(getValid('PSBT with unknown fields'))
  if (place === 'global') return encodePsbt({ ...psbt, global: [...psbt.global, field] })
  return encodePsbt({ ...psbt, [place]: [[...(psbt[place][0] ?? []), field]] })
}

test.each<[string, 'global' | 'inputs' | 'outputs', number, number, number]>([
  ['an unsigned transaction with data in its key', 'global', 0x00, 1, 63],
  ['an extended key that is too short', 'global', 0x01, 77, 4],
  ['version 2’s count of inputs', 'global', 0x04, 0, 1],
  ['another version', 'global', 0xfb, 0, 3],
  ['an invalid previous transaction', 'inputs', 0x00, 0, 9],
  ['data in the key of a spent output', 'inputs', 0x01, 1, 9],
  ['a spent output that is too short', 'inputs', 0x01, 0, 8],
  ['a signature of a key of 32 bytes', 'inputs', 0x02, 32, 71],
  ['a sighash type of three bytes', 'inputs', 0x03, 0, 3],
  ['data in the key of a redeem script', 'inputs', 0x04, 1, 1],
  ['data in the key of a witness script', 'inputs', 0x05, 1, 1],
  ['a path of a key of 32 bytes', 'inputs', 0x06, 32, 8],
  ['data in the key of a final script', 'inputs', 0x07, 1, 1],
  ['a final witness with more after its end', 'inputs', 0x08, 0, 3],
  ['version 2’s id', 'inputs', 0x0e, 0, 32],
  ['a leaf signature of a key that is too long', 'inputs', 0x14, 65, 64],
  ['a leaf signature that is too short', 'inputs', 0x14, 64, 63],
  ['a leaf without a script', 'inputs', 0x15, 33, 0],
  ['a merkle root that is too short', 'inputs', 0x18, 0, 31],
  ['data in the key of an output’s redeem script', 'outputs', 0x00, 1, 1],
  ['an output’s path of a key of 34 bytes', 'outputs', 0x02, 34, 8],
  ['version 2’s amount', 'outputs', 0x03, 0, 8],
  ['an empty tree', 'outputs', 0x06, 0, 0],
])('error: %s', (_, place, type, dataLength, valueLength) => {
  const field = { type, data: new Uint8Array(dataLength), value: new Uint8Array(valueLength) }
  expect(() => decodePsbt(withField(place, field))).toThrow(TypeError)
})

test('error: a duplicate key, trailing bytes and truncated bytes', () => {
  const field = { type: 0x02, data: key, value: new Uint8Array(70) }
  const once = withField('inputs', field)
  expect(decodePsbt(once).inputs[0]).toContainEqual(field)
  const psbt = decodePsbt(once)
  const twice = encodePsbt({ ...psbt, inputs: [[...(psbt.inputs[0] ?? []), field]] })
  expect(() => decodePsbt(twice)).toThrow('Duplicate key')
  expect(() => decodePsbt(Uint8Array.of(...once, 0))).toThrow('after the end')
  for (let length = 0; length < once.length; length++)
    expect(() => decodePsbt(once.subarray(0, length))).toThrow(TypeError)
})

test('behavior: another library reads the encoded PSBT', () => {
  const ours = decodePsbt(
    getValid(
      'PSBT with one P2TR key only input with internal key, its derivation path, and signature',
    ),
  )
  const theirs = Transaction.fromPSBT(encodePsbt(ours))
  expect(theirs.getInput(0).tapKeySig).toEqual(findField(ours.inputs[0] ?? [], 0x13))
  expect(theirs.getOutput(0)).toMatchObject({
    amount: ours.transaction.outputs[0]?.value,
    script: ours.transaction.outputs[0]?.script,
  })
})
