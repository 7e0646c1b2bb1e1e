import { encodeBitcoinTransaction } from '@latchkey/wire/bitcoin'
import { Transaction } from '@scure/btc-signer'
import { expect, test } from 'vitest'
import { finalizePsbt } from './finalizePsbt.ts'
import { insertSignatures } from './insertSignatures.ts'
import { parsePsbt } from './parsePsbt.ts'

// BIP-371: a P2TR input that is spent by its key, before and after it was signed.
const unsigned =
  'cHNidP8BAFICAAAAASd0Srq/MCf+DWzyOpbu4u+xiO9SMBlUWFiD5ptmJLJCAAAAAAD/////AUjmBSoBAAAAFgAUdo4e60z0IIZgM/gKzv8PlyB0SWkAAAAAAAEBKwDyBSoBAAAAIlEgWiws9bUs8x+DrS6Npj/wMYPs2PYJx1EK6KSOA5EKB1chFv40kGTJjW4qhT+jybEr2LMEoZwZXGDvp+4jkwRtP6IyGQB3Ky2nVgAAgAEAAIAAAACAAQAAAAAAAAABFyD+NJBkyY1uKoU/o8mxK9izBKGcGVxg76fuI5MEbT+iMgAiAgNrdyptt02HU8mKgnlY3mx4qzMSEJ830+AwRIQkLs5z2Bh3Ky2nVAAAgAEAAIAAAACAAAAAAAAAAAAA'
const signed =
  'cHNidP8BAFICAAAAASd0Srq/MCf+DWzyOpbu4u+xiO9SMBlUWFiD5ptmJLJCAAAAAAD/////AUjmBSoBAAAAFgAUdo4e60z0IIZgM/gKzv8PlyB0SWkAAAAAAAEBKwDyBSoBAAAAIlEgWiws9bUs8x+DrS6Npj/wMYPs2PYJx1EK6KSOA5EKB1cBE0C7U+yRe62dkGrxuocYHEi4as5aritTYFpyXKdGJWMUdvxvW67a9PLuD0d/NvWPOXDVuCc7fkl7l68uPxJcl680IRb+NJBkyY1uKoU/o8mxK9izBKGcGVxg76fuI5MEbT+iMhkAdystp1YAAIABAACAAAAAgAEAAAAAAAAAARcg/jSQZMmNbiqFP6PJsSvYswShnBlcYO+n7iOTBG0/ojIAIgIDa3cqbbdNh1PJioJ5WN5seKszEhCfN9PgMESEJC7Oc9gYdystp1QAAIABAACAAAAAgAAAAAAAAAAAAA=='

const value = 5_000_000_000n
const script = Uint8Array.from(
  Buffer.from('51205a2c2cf5b52cf31f83ad2e8da63ff03183ecd8f609c7510ae8a48e03910a0757', 'hex'),
)
const inputs = [{ index: 0, sighashTypes: [0, 1] }]
function finalize(answer: unknown, amount = value) {
  const psbt = { ...parsePsbt(unsigned), spent: [{ script, value: amount }] }
  return encodeBitcoinTransaction(finalizePsbt(insertSignatures({ psbt, inputs, answer })))
}

test('default: BIP-371’s signed input, as base64 and as hex', () => {
  const bytes = finalize(signed)
  expect(finalize(Buffer.from(signed, 'base64').toString('hex'))).toEqual(bytes)
  const [signature, ...rest] = Transaction.fromRaw(bytes).getInput(0).finalScriptWitness ?? []
  expect(rest).toEqual([])
  expect(Buffer.from(signature ?? []).toString('hex')).toMatch(/^bb53ec917bad9d90.{112}$/)
})

test('error: the same over another amount', () => {
  expect(() => finalize(signed, value + 1n)).toThrow('something else')
})

/** The signed PSBT with another byte in the middle of the signature. */
function changeSignature() {
  const bytes = Buffer.from(signed, 'base64')
  const at = bytes.indexOf('bb53ec917bad9d90', 'hex') + 8
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes.toString('base64')
}

test.each([
  ['not signed', unsigned],
  ['cut off', signed.slice(0, 300)],
  [
    'BIP-174: a transaction of the network',
    'AgAAAAEmgXE3Ht/yhek3re6ks3t4AAwFZsuzrWRkFxPKQhcb9gAAAABqRzBEAiBwsiRRI+a/R01gxbUMBD1MaRpdJDXwmjSnZiqdwlF5CgIgATKcqdrPKAvfMHQOwDkEIkIsgctFg5RXrrdvwS7dlbMBIQJlfRGNM1e44PTCzUbbezn22cONmnCry5st5dyNv+TOMf7///8C09/1BQAAAAAZdqkU0MWZA8W6woaHYOkP1SGkZlqnZSCIrADh9QUAAAAAF6kUNUXm4zuDLEcFDyTT7rk8nAOUi8eHsy4TAA==',
  ],
  [
    'BIP-371: a control block that is too short',
    'cHNidP8BAF4CAAAAAZvUh2UjC/mnLmYgAflyVW5U8Mb5f+tWvLVgDYF/aZUmAQAAAAD/////AUjmBSoBAAAAIlEgAw2k/OT32yjCyylRYx4ANxOFZZf+ljiCy1AOaBEsymMAAAAAAAEBKwDyBSoBAAAAIlEgwiR++/2SrEf29AuNQtFpF1oZ+p+hDkol1/NetN2FtpJhFcFQkpt0waBJVLeLS2A16XpeB4paDyjsltVHv+6azoA6wG99YgWelJehpKJnVp2YdtpgEBr/OONSm5uTnOf5GulwEV8uSQr3zEXE94UR82BXzlxaXFYyWin7RN/CA/NW4SMgLLE6xoJI3oBqpqNlnPPAPraCHQnIEUpOho/r3oZbttKswAAA',
  ],
  ['too long', 'A'.repeat(500_000)],
  ['nothing', undefined],
])('error: an answer that is %s', (_, answer) => {
  expect(() => finalize(answer)).toThrow('invalid response')
})

test('error: an answer that is signed wrongly', () => {
  expect(() => finalize(changeSignature())).toThrow('something else')
})
