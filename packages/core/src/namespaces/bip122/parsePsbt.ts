import { encodeBase64, LatchkeyError } from '@latchkey/wire'
import {
  createReader,
  decodePsbt,
  decodeTransaction,
  encodePsbt,
  equalBytes,
  findField,
  hashTransaction,
  isPsbtVersion2,
  payScriptHash,
  readOutput,
  type TransactionOutput,
  type Psbt as WirePsbt,
} from '@latchkey/wire/bitcoin'

/** A parsed PSBT. `spent`: the outputs that its inputs spend. */
export type ParsedPsbt = WirePsbt & { spent: readonly TransactionOutput[] }

/** Types of an input's fields (BIP-174, BIP-371). */
export const inputFields = {
  previous: 0x00,
  spent: 0x01,
  partialSignature: 0x02,
  sighashType: 0x03,
  redeemScript: 0x04,
  finalScript: 0x07,
  finalWitness: 0x08,
  keySignature: 0x13,
} as const

/** The longest PSBT in characters. */
const maxLength = 400_000
/** The total supply of bitcoin, in satoshis. */
const maxSats = 2_100_000_000_000_000n

/** Decodes base64 or hex. Throws if the value is neither, or longer than a PSBT may be. */
export function decodeBytes(text: unknown): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string') throw new TypeError('Not a string')
  if (text.length > maxLength) throw new TypeError('Longer than 400,000 characters')
  if (/^(?:[0-9a-f]{2})+$/i.test(text))
    return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

/** A PSBT as base64. */
export const formatPsbt = (psbt: WirePsbt): string => encodeBase64(encodePsbt(psbt))

/**
 * Parses a PSBT in base64 or hex. Throws INVALID_PARAMS if it is malformed, too long, or does not
 * state correctly which outputs it spends.
 */
export function parsePsbt(text: unknown): ParsedPsbt {
  let bytes = new Uint8Array()
  try {
    bytes = decodeBytes(text)
    const psbt = decodePsbt(bytes)
    const { inputs, outputs } = psbt.transaction
    if (inputs.length === 0 || outputs.length === 0) throw new TypeError('Nothing to sign')
    const spent = inputs.map((_, at) => getSpent(psbt, at))
    if ([...spent, ...outputs].some(({ value }) => value > maxSats))
      throw new TypeError('An amount exceeds the total supply of bitcoin')
    return { ...psbt, spent }
  } catch (cause) {
    const reason = isPsbtVersion2(bytes)
      ? 'psbt has version 2 (BIP-370), and only version 0 (BIP-174) can be signed'
      : `psbt (${cause instanceof TypeError ? cause.message : 'Neither base64 nor hex'})`
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason }, cause })
  }
}

/**
 * The output that an input spends. Two fields can state it, and both must be correct (BIP-174's
 * checks for signers).
 */
function getSpent(psbt: WirePsbt, at: number): TransactionOutput {
  const fields = psbt.inputs[at] ?? []
  const value = findField(fields, inputFields.spent)
  const claimed = value && readOutput(createReader(value))
  const proven = readPrevious(psbt, at)
  const output = proven ?? claimed
  if (!output) throw new TypeError('The output that an input spends is missing')
  if (claimed && proven && !isSame(claimed, proven))
    throw new TypeError('The input spends another output')
  const redeem = findField(fields, inputFields.redeemScript)
  if (redeem && !equalBytes(payScriptHash(redeem), output.script))
    throw new TypeError('The redeem script does not match')
  if (!proven && !isWitness(output.script) && output.script[0] !== scriptHash)
    throw new TypeError('An input without a witness needs the transaction that it spends')
  return output
}

/**
 * The output in the transaction that the input carries. That transaction's id must be the input's.
 */
function readPrevious({ transaction, inputs }: WirePsbt, at: number) {
  const bytes = findField(inputs[at] ?? [], inputFields.previous)
  const input = transaction.inputs[at]
  if (!bytes || !input) return undefined
  const previous = decodeTransaction(bytes)
  const output = previous.outputs[input.index]
  if (!output || !equalBytes(hashTransaction(previous), input.txid))
    throw new TypeError('The input spends another transaction')
  return output
}

const scriptHash = 0xa9

const isWitness = ({ 0: version = 0xff, 1: size, length }: Uint8Array) =>
  (version === 0 || (version >= 0x51 && version <= 0x60)) && size === length - 2

/** Whether two outputs are equal. */
export const isSame = (one: TransactionOutput, other: TransactionOutput): boolean =>
  one.value === other.value && equalBytes(one.script, other.script)
