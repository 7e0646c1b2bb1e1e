import { readFileSync } from 'node:fs'
import { Transaction } from '@scure/btc-signer'
import { expect, test } from 'vitest'
import { parsePsbt } from './parsePsbt.ts'

/** BIP-174's “failure cases for a signer”, by the names that they have there. */
const vectors: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('../../../test/psbtSignerVectors.json', import.meta.url), 'utf8'),
)
// The witness script is not looked at, because inputs that run one cannot be signed here
// (`requests.ts`).
const ofWitnessScript = 'witnessScript with witness UTXO does not match the redeemScript'

test.each(Object.entries(vectors).filter(([name]) => name !== ofWitnessScript))(
  'error: %s',
  (_, psbt) => {
    expect(() => parsePsbt(psbt)).toThrow('A parameter is not valid: psbt')
  },
)

test('error: version 2 is refused by its name', () => {
  const transaction = new Transaction({ PSBTVersion: 2, allowUnknownOutputs: true })
  transaction.addInput({ txid: new Uint8Array(32).fill(1), index: 0 })
  transaction.addOutput({ script: Uint8Array.of(0x6a), amount: 0n })
  const psbt = Buffer.from(transaction.toPSBT(2)).toString('base64')
  expect(() => parsePsbt(psbt)).toThrow(
    'A parameter is not valid: psbt has version 2 (BIP-370), and only version 0 (BIP-174) can be signed',
  )
})
