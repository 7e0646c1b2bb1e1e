import { LatchkeyError } from '@latchkey/wire'
import {
  createReader,
  decodePsbt,
  encodeBitcoinTransaction,
  equalBytes,
  findField,
  hashLegacy,
  hashTaproot,
  hashWitness,
  isTaprootScript,
  type PsbtField,
  payNestedWitness,
  payPublicKeyHash,
  payWitnessPublicKeyHash,
  readPushes,
  readStack,
  verifyEcdsa,
  verifySchnorr,
  type Psbt as WirePsbt,
} from '@latchkey/wire/bitcoin'
import { decodeBytes, inputFields, type ParsedPsbt } from './parsePsbt.ts'

/** An input to sign, and the sighash types that its signature may have; 0 is Taproot's default. */
export type SignInput = { index: number; sighashTypes: readonly number[] }

const sighashAll = 1
const none: Uint8Array = new Uint8Array()

/**
 * Copies the signatures from the PSBT that a wallet returned (base64 or hex) into a copy of the
 * requested PSBT. Both must describe the same transaction, and each signature must be by the key
 * that owns the input. Drops everything else that the wallet returned. Throws WALLET_ANSWER_INVALID
 * if the result is not a PSBT or lacks a signature, and WALLET_SIGNED_OTHER.
 */
export function insertSignatures(parameters: {
  psbt: ParsedPsbt
  inputs: readonly SignInput[]
  answer: unknown
}): ParsedPsbt {
  const { psbt, inputs, answer } = parameters
  const signed = readAnswer(answer)
  if (!equalBytes(encode(signed), encode(psbt))) throw new LatchkeyError('WALLET_SIGNED_OTHER')
  const fields = [...psbt.inputs]
  for (const { index, sighashTypes } of inputs) {
    const answered = signed.inputs[index] ?? []
    const added = attempt(() => readSignature({ psbt, index, sighashTypes, answered }))
    if (!added) throw new LatchkeyError('WALLET_SIGNED_OTHER')
    const types = added.map(({ type }) => type)
    const kept = (psbt.inputs[index] ?? []).filter(({ type }) => !types.includes(type))
    fields[index] = [...kept, ...added]
  }
  return { ...psbt, inputs: fields }
}

const encode = ({ transaction }: WirePsbt) =>
  encodeBitcoinTransaction(transaction, 'withoutWitness')

function readAnswer(answer: unknown): WirePsbt {
  try {
    return decodePsbt(decodeBytes(answer))
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

// The curve functions throw for malformed input.
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof LatchkeyError) throw error
    return undefined
  }
}

type SigningRequest = SignInput & { psbt: ParsedPsbt; answered: readonly PsbtField[] }

const field = (type: number, value: Uint8Array, data: Uint8Array = none): PsbtField => ({
  type,
  data,
  value,
})

/**
 * The fields with an input's signature; undefined if the signature is not by the input's owner.
 * Throws WALLET_ANSWER_INVALID if the signature is missing.
 */
function readSignature(question: SigningRequest): readonly PsbtField[] | undefined {
  const { psbt, index, sighashTypes, answered } = question
  const { script = none } = psbt.spent[index] ?? {}
  if (isTaprootScript(script)) return readKeySignature(question, script)
  const [signature, publicKey] = findSignature(answered)
  const sighash = signature?.at(-1)
  if (!signature || !publicKey || sighash === undefined)
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  if (!sighashTypes.includes(sighash)) return undefined
  const hash = hashInput({ psbt, index, publicKey, sighash })
  if (!hash || !verifyEcdsa({ signature: signature.subarray(0, -1), hash, publicKey }))
    return undefined
  const isNested = equalBytes(payNestedWitness(publicKey), script)
  return [
    field(inputFields.partialSignature, signature, publicKey),
    ...(isNested ? [field(inputFields.redeemScript, payWitnessPublicKeyHash(publicKey))] : []),
  ]
}

/** The signature of a Taproot input that is spent by key. */
function readKeySignature(
  { psbt, index, sighashTypes, answered }: SigningRequest,
  script: Uint8Array,
) {
  const [finished] = readWitness(answered)
  const signature = finished ?? findField(answered, inputFields.keySignature)
  if (!signature) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  // The default type is encoded by leaving out the byte, so a byte of 0 is invalid.
  if (signature.length === 65 && signature[64] === 0) return undefined
  const sighash = signature[64] ?? 0
  if (!sighashTypes.includes(sighash)) return undefined
  const { transaction, spent } = psbt
  const hash = hashTaproot({ transaction, index, sighash, spent })
  const publicKey = script.subarray(2)
  const isValid = verifySchnorr({ signature: signature.subarray(0, 64), hash, publicKey })
  return isValid ? [field(inputFields.keySignature, signature)] : undefined
}

function readWitness(fields: readonly PsbtField[]): readonly Uint8Array[] {
  const witness = findField(fields, inputFields.finalWitness)
  return witness ? readStack(createReader(witness)) : []
}

/** Finds the signature and the public key of an input, finalized or not. */
function findSignature(fields: readonly PsbtField[]): readonly (Uint8Array | undefined)[] {
  const partial = fields.find(({ type }) => type === inputFields.partialSignature)
  if (partial) return [partial.value, partial.data]
  const witness = readWitness(fields)
  if (witness.length > 0) return witness
  return readPushes(findField(fields, inputFields.finalScript) ?? none)
}

/** The hash that a key signs for an input; undefined if the input does not belong to that key. */
function hashInput(parameters: {
  psbt: ParsedPsbt
  index: number
  publicKey: Uint8Array
  sighash: number
}): Uint8Array | undefined {
  const { psbt, index, publicKey, sighash } = parameters
  const { transaction } = psbt
  const { script, value } = psbt.spent[index] ?? { script: none, value: 0n }
  const code = payPublicKeyHash(publicKey)
  const isWitness = [payWitnessPublicKeyHash, payNestedWitness].some((pay) =>
    equalBytes(pay(publicKey), script),
  )
  if (isWitness) return hashWitness({ transaction, index, sighash, script: code, value })
  return equalBytes(code, script) && sighash === sighashAll
    ? hashLegacy({ transaction, index, script: code })
    : undefined
}
