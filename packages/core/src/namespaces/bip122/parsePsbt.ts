import { LatchkeyError } from '@latchkey/wire'
import { Transaction } from '@scure/btc-signer'

/** What an input spends. */
type Spent = { script: Uint8Array; value: bigint }

/** A PSBT that was read: `spent` are the outputs that its inputs spend. */
export type Psbt = { transaction: Transaction; spent: readonly Spent[] }

/** Characters of a PSBT as text. */
const maxLength = 400_000
/** As a wallet's or an app's PSBT is read: what it spends and pays may be of any kind. */
export const psbtOptions = {
  allowUnknownOutputs: true,
  allowUnknownInputs: true,
  disableScriptCheck: true,
}

/** The bytes of a text in base64 or hex. Throws if it is neither, and if it is longer than a PSBT may be. */
export function decodeBytes(text: unknown): Uint8Array {
  if (typeof text !== 'string' || text.length > maxLength) throw new TypeError('Not a PSBT')
  if (/^(?:[0-9a-f]{2})+$/i.test(text))
    return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

/** A PSBT as base64. */
export function encodePsbt(transaction: Transaction): string {
  let text = ''
  for (const byte of transaction.toPSBT()) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Reads a PSBT in base64 or hex. Throws INVALID_PARAMS for one that is malformed, too long, or does not say what it spends. */
export function parsePsbt(text: unknown): Psbt {
  try {
    const transaction = Transaction.fromPSBT(decodeBytes(text), psbtOptions)
    const count = transaction.inputsLength
    if (count === 0 || transaction.outputsLength === 0) throw new TypeError('Nothing to sign')
    const spent = Array.from({ length: count }, (_, at) => getSpent(transaction, at))
    return { transaction, spent }
  } catch (cause) {
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'psbt' }, cause })
  }
}

function getSpent(transaction: Transaction, at: number): Spent {
  const { witnessUtxo, nonWitnessUtxo, index } = transaction.getInput(at)
  const output = witnessUtxo ?? (index === undefined ? undefined : nonWitnessUtxo?.outputs[index])
  if (!output) throw new TypeError(`It is not known what input ${at} spends`)
  return { script: output.script, value: output.amount }
}
