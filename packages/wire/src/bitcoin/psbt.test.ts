import { Transaction } from '@scure/btc-signer'
import { expect, test } from 'vitest'
import { decodePsbt, encodePsbt, findField, type PsbtField } from './psbt.ts'

const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))
const toBase64 = (value: Uint8Array) => Buffer.from(value).toString('base64')

// BIP-174's and BIP-371's published ones.
const valid = {
  'one input of a witness, unsigned':
    'cHNidP8BAKACAAAAAqsJSaCMWvfEm4IS9Bfi8Vqz9cM9zxU4IagTn4d6W3vkAAAAAAD+////qwlJoIxa98SbghL0F+LxWrP1wz3PFTghqBOfh3pbe+QBAAAAAP7///8CYDvqCwAAAAAZdqkUdopAu9dAy+gdmI5x3ipNXHE5ax2IrI4kAAAAAAAAGXapFG9GILVT+glechue4O/p+gOcykWXiKwAAAAAAAEHakcwRAIgR1lmF5fAGwNrJZKJSGhiGDR9iYZLcZ4ff89X0eURZYcCIFMJ6r9Wqk2Ikf/REf3xM286KdqGbX+EhtdVRs7tr5MZASEDXNxh/HupccC1AaZGoqg7ECy0OIEhfKaC3Ibi1z+ogpIAAQEgAOH1BQAAAAAXqRQ1RebjO4MsRwUPJNPuuTycA5SLx4cBBBYAFIXRNTfy4mVAWjTbr6nj3aAfuCMIAAAA',
  'keys of an account that are known to all':
    'cHNidP8BAFICAAAAAZ38ZijCbFiZ/hvT3DOGZb/VXXraEPYiCXPfLTht7BJ2AQAAAAD/////AfA9zR0AAAAAFgAUezoAv9wU0neVwrdJAdCdpu8TNXkAAAAATwEENYfPAto/0AiAAAAAlwSLGtBEWx7IJ1UXcnyHtOTrwYogP/oPlMAVZr046QADUbdDiH7h1A3DKmBDck8tZFmztaTXPa7I+64EcvO8Q+IM2QxqT64AAIAAAACATwEENYfPAto/0AiAAAABuQRSQnE5zXjCz/JES+NTzVhgXj5RMoXlKLQH+uP2FzUD0wpel8itvFV9rCrZp+OcFyLrrGnmaLbyZnzB1nHIPKsM2QxqT64AAIABAACAAAEBKwBlzR0AAAAAIgAgLFSGEmxJeAeagU4TcV1l82RZ5NbMre0mbQUIZFuvpjIBBUdSIQKdoSzbWyNWkrkVNq/v5ckcOrlHPY5DtTODarRWKZyIcSEDNys0I07Xz5wf6l0F1EFVeSe+lUKxYusC4ass6AIkwAtSriIGAp2hLNtbI1aSuRU2r+/lyRw6uUc9jkO1M4NqtFYpnIhxENkMak+uAACAAAAAgAAAAAAiBgM3KzQjTtfPnB/qXQXUQVV5J76VQrFi6wLhqyzoAiTACxDZDGpPrgAAgAEAAIAAAAAAACICA57/H1R6HV+S36K6evaslxpL0DukpzSwMVaiVritOh75EO3kXMUAAACAAAAAgAEAAIAA',
  'unknown fields':
    'cHNidP8BAD8CAAAAAf//////////////////////////////////////////AAAAAAD/////AQAAAAAAAAAAA2oBAAAAAAAACvABAgMEBQYHCAkPAQIDBAUGBwgJCgsMDQ4PAAA=',
  'neither inputs nor outputs': 'cHNidP8BAAoAAAAAAAAAAAAAAA==',
  'no inputs':
    'cHNidP8BAEwCAAAAAALT3/UFAAAAABl2qRTQxZkDxbrChodg6Q/VIaRmWqdlIIisAOH1BQAAAAAXqRQ1RebjO4MsRwUPJNPuuTycA5SLx4ezLhMAAAAA',
  'unknown fields everywhere':
    'cHNidP8BAD8CAAAAAf//////////////////////////////////////////AAAAAAD/////AQAAAAAAAAAAA2oBAAAAAAAK8AECAwQFBgcICQ8BAgMEBQYHCAkKCwwNDg8ACvABAgMEBQYHCAkPAQIDBAUGBwgJCgsMDQ4PAArwAQIDBAUGBwgJDwECAwQFBgcICQoLDA0ODwA=',
  'Taproot spent by its key':
    'cHNidP8BAFICAAAAASd0Srq/MCf+DWzyOpbu4u+xiO9SMBlUWFiD5ptmJLJCAAAAAAD/////AUjmBSoBAAAAFgAUdo4e60z0IIZgM/gKzv8PlyB0SWkAAAAAAAEBKwDyBSoBAAAAIlEgWiws9bUs8x+DrS6Npj/wMYPs2PYJx1EK6KSOA5EKB1cBE0C7U+yRe62dkGrxuocYHEi4as5aritTYFpyXKdGJWMUdvxvW67a9PLuD0d/NvWPOXDVuCc7fkl7l68uPxJcl680IRb+NJBkyY1uKoU/o8mxK9izBKGcGVxg76fuI5MEbT+iMhkAdystp1YAAIABAACAAAAAgAEAAAAAAAAAARcg/jSQZMmNbiqFP6PJsSvYswShnBlcYO+n7iOTBG0/ojIAIgIDa3cqbbdNh1PJioJ5WN5seKszEhCfN9PgMESEJC7Oc9gYdystp1QAAIABAACAAAAAgAAAAAAAAAAAAA==',
}

test.each(Object.entries(valid))('default: %s, and back', (_, base64) => {
  const psbt = decodePsbt(bytes(base64))
  expect(toBase64(encodePsbt(psbt))).toBe(base64)
})

const start =
  'cHNidP8BAHECAAAAASd0Srq/MCf+DWzyOpbu4u+xiO9SMBlUWFiD5ptmJLJCAAAAAAD/////Anh8AQAAAAAAFgAUg6fjS9mf8DpJYu+KGhAbspVGHs5gawQqAQAAABYAFHrDad8bIOAz1hFmI5V7CsSfPFLoAAAAAAABASsA8gUqAQAAACJRIFosLPW1LPMfg60ujaY/8DGD7Nj2CcdRCuikjgORCgdX'
const other =
  'cHNidP8BAH0CAAAAASd0Srq/MCf+DWzyOpbu4u+xiO9SMBlUWFiD5ptmJLJCAAAAAAD/////Aoh7AQAAAAAAFgAUI4KHHH6EIaAAk/dU2RKB5nWHS59gawQqAQAAACJRIFosLPW1LPMfg60ujaY/8DGD7Nj2CcdRCuikjgORCgdXAAAAAAABASsA8gUqAQAAACJRIFosLPW1LPMfg60ujaY/8DGD7Nj2CcdRCuikjgORCgdXAAA'
test.each([
  [
    'a transaction of the network',
    'AgAAAAEmgXE3Ht/yhek3re6ks3t4AAwFZsuzrWRkFxPKQhcb9gAAAABqRzBEAiBwsiRRI+a/R01gxbUMBD1MaRpdJDXwmjSnZiqdwlF5CgIgATKcqdrPKAvfMHQOwDkEIkIsgctFg5RXrrdvwS7dlbMBIQJlfRGNM1e44PTCzUbbezn22cONmnCry5st5dyNv+TOMf7///8C09/1BQAAAAAZdqkU0MWZA8W6woaHYOkP1SGkZlqnZSCIrADh9QUAAAAAF6kUNUXm4zuDLEcFDyTT7rk8nAOUi8eHsy4TAA==',
  ],
  [
    'a signature in the unsigned transaction',
    'cHNidP8BAP0KAQIAAAACqwlJoIxa98SbghL0F+LxWrP1wz3PFTghqBOfh3pbe+QAAAAAakcwRAIgR1lmF5fAGwNrJZKJSGhiGDR9iYZLcZ4ff89X0eURZYcCIFMJ6r9Wqk2Ikf/REf3xM286KdqGbX+EhtdVRs7tr5MZASEDXNxh/HupccC1AaZGoqg7ECy0OIEhfKaC3Ibi1z+ogpL+////qwlJoIxa98SbghL0F+LxWrP1wz3PFTghqBOfh3pbe+QBAAAAAP7///8CYDvqCwAAAAAZdqkUdopAu9dAy+gdmI5x3ipNXHE5ax2IrI4kAAAAAAAAGXapFG9GILVT+glechue4O/p+gOcykWXiKwAAAAAAAABASAA4fUFAAAAABepFDVF5uM7gyxHBQ8k0+65PJwDlIvHhwEEFgAUhdE1N/LiZUBaNNuvqePdoB+4IwgAAAA=',
  ],
  [
    'an internal key that is too long',
    `${start}ARchAv40kGTJjW4qhT+jybEr2LMEoZwZXGDvp+4jkwRtP6IyAAAA`,
  ],
  [
    'a key signature that is too short',
    `${start}ARM/Fzuz02wHSvtxb+xjB6BpouRQuZXzyCeFlFq43w4kJg3NcDsMvzTeOZGEqUgawrNYbbZgHwJqd/fkk4SBvDR1AAAA`,
  ],
  [
    'a key signature that is too long',
    `${start}ARNCFzuz02wHSvtxb+xjB6BpouRQuZXzyCeFlFq43w4kJg3NcDsMvzTeOZGEqUgawrNYbbZgHwJqd/fkk4SBvDR1FwGqAAAA`,
  ],
  [
    'a path of a key that is too long',
    `${start}IhYC/jSQZMmNbiqFP6PJsSvYswShnBlcYO+n7iOTBG0/ojIZAHcrLadWAACAAQAAgAAAAIABAAAAAAAAAAAAAA==`,
  ],
  [
    'an output’s internal key that is too long',
    `${other}ABBSEC/jSQZMmNbiqFP6PJsSvYswShnBlcYO+n7iOTBG0/ojIA`,
  ],
  [
    'an output’s path of a key that is too long',
    `${other}iBwL+NJBkyY1uKoU/o8mxK9izBKGcGVxg76fuI5MEbT+iMhkAdystp1YAAIABAACAAAAAgAEAAAAAAAAAAA==`,
  ],
  [
    'a control block that is too short',
    'cHNidP8BAF4CAAAAAZvUh2UjC/mnLmYgAflyVW5U8Mb5f+tWvLVgDYF/aZUmAQAAAAD/////AUjmBSoBAAAAIlEgAw2k/OT32yjCyylRYx4ANxOFZZf+ljiCy1AOaBEsymMAAAAAAAEBKwDyBSoBAAAAIlEgwiR++/2SrEf29AuNQtFpF1oZ+p+hDkol1/NetN2FtpJhFcFQkpt0waBJVLeLS2A16XpeB4paDyjsltVHv+6azoA6wG99YgWelJehpKJnVp2YdtpgEBr/OONSm5uTnOf5GulwEV8uSQr3zEXE94UR82BXzlxaXFYyWin7RN/CA/NW4SMgLLE6xoJI3oBqpqNlnPPAPraCHQnIEUpOho/r3oZbttKswAAA',
  ],
])('error: %s', (_, base64) => {
  expect(() => decodePsbt(bytes(base64))).toThrow(TypeError)
})

const key = Uint8Array.of(2, ...new Uint8Array(32).fill(7))
/** A PSBT with more fields of its only input, its only output, or the whole. */
function withField(place: 'global' | 'inputs' | 'outputs', field: PsbtField) {
  const psbt = decodePsbt(bytes(valid['unknown fields']))
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

test('error: a key that stands twice, and what follows the end or is cut off', () => {
  const field = { type: 0x02, data: key, value: new Uint8Array(70) }
  const once = withField('inputs', field)
  expect(decodePsbt(once).inputs[0]).toContainEqual(field)
  const psbt = decodePsbt(once)
  const twice = encodePsbt({ ...psbt, inputs: [[...(psbt.inputs[0] ?? []), field]] })
  expect(() => decodePsbt(twice)).toThrow('A key stands twice')
  expect(() => decodePsbt(Uint8Array.of(...once, 0))).toThrow('after the end')
  for (let length = 0; length < once.length; length++)
    expect(() => decodePsbt(once.subarray(0, length))).toThrow(TypeError)
})

test('behavior: another library reads what is written', () => {
  const signed = valid['Taproot spent by its key']
  const ours = decodePsbt(bytes(signed))
  const theirs = Transaction.fromPSBT(encodePsbt(ours))
  expect(theirs.getInput(0).tapKeySig).toEqual(findField(ours.inputs[0] ?? [], 0x13))
  expect(theirs.getOutput(0)).toMatchObject({
    amount: ours.transaction.outputs[0]?.value,
    script: ours.transaction.outputs[0]?.script,
  })
})
