import {
  type BitcoinTransaction,
  equalBytes,
  findField,
  isTaprootScript,
  payPublicKeyHash,
  payWitnessPublicKeyHash,
} from '@latchkey/wire/bitcoin'
import { inputFields, type ParsedPsbt } from './parsePsbt.ts'

/**
 * The transaction of a PSBT whose inputs are all signed: P2PKH, P2WPKH, and Taproot by its key.
 * Throws a TypeError for others.
 */
export const finalizePsbt = (psbt: ParsedPsbt): BitcoinTransaction => ({
  ...psbt.transaction,
  inputs: psbt.transaction.inputs.map((input, at) => ({ ...input, ...finalizeInput(psbt, at) })),
})

function finalizeInput({ inputs, spent }: ParsedPsbt, at: number) {
  const fields = inputs[at] ?? []
  const { script = new Uint8Array() } = spent[at] ?? {}
  const keySignature = findField(fields, inputFields.keySignature)
  if (isTaprootScript(script) && keySignature) return { witness: [keySignature] }
  const partial = fields.find(({ type }) => type === inputFields.partialSignature)
  if (!partial) throw new TypeError('An input is not signed')
  const { data: publicKey, value: signature } = partial
  if (equalBytes(payWitnessPublicKeyHash(publicKey), script))
    return { witness: [signature, publicKey] }
  if (!equalBytes(payPublicKeyHash(publicKey), script))
    throw new TypeError('Unsupported type of input')
  return { script: Uint8Array.of(...push(signature), ...push(publicKey)) }
}

// Both are shorter than 76 bytes.
const push = (bytes: Uint8Array) => [bytes.length, ...bytes]
