import { LatchkeyError } from '@latchkey/wire'
import { verifyEcdsa, verifySchnorr } from '@latchkey/wire/bitcoin'
import { OutScript, p2pkh, p2sh, p2wpkh, Script, Transaction } from '@scure/btc-signer'
import { RawOldTx } from '@scure/btc-signer/script.js'
import { concatBytes, equalBytes, sha256x2 } from '@scure/btc-signer/utils.js'
import { decodeBytes, type Psbt, psbtOptions } from './parsePsbt.ts'

/** An input that was to be signed, and the sighash types that a signature of it may have; 0 is Taproot's default. */
export type SignInput = { index: number; sighashTypes: readonly number[] }

const sighashAll = 1

/**
 * Takes the signatures out of the PSBT that a wallet has answered (base64 or hex) and puts them into a copy of the one that
 * it was asked to sign. It must be the same transaction, and each signature must be that of the key that owns the input;
 * whatever else the answer has is dropped. Throws WALLET_ANSWER_INVALID for an answer that is no PSBT or lacks a signature,
 * and WALLET_SIGNED_OTHER.
 */
export function insertSignatures(parameters: {
  psbt: Psbt
  inputs: readonly SignInput[]
  answer: unknown
}): Transaction {
  const { psbt, inputs, answer } = parameters
  const signed = readAnswer(answer)
  if (!equalBytes(signed.unsignedTx, psbt.transaction.unsignedTx))
    throw new LatchkeyError('WALLET_SIGNED_OTHER')
  const copy = psbt.transaction.clone()
  for (const { index, sighashTypes } of inputs) {
    const input = signed.getInput(index)
    const update = attempt(() => readSignature({ psbt, index, sighashTypes, input }))
    if (!update) throw new LatchkeyError('WALLET_SIGNED_OTHER')
    copy.updateInput(index, update)
  }
  return copy
}

function readAnswer(answer: unknown): Transaction {
  try {
    return Transaction.fromPSBT(decodeBytes(answer), psbtOptions)
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

// The library and the curves throw for what is malformed.
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof LatchkeyError) throw error
    return undefined
  }
}

type Question = SignInput & { psbt: Psbt; input: ReturnType<Transaction['getInput']> }

/** The field of a PSBT with an input's signature; undefined where that is not its owner's. Throws WALLET_ANSWER_INVALID where there is none. */
function readSignature(question: Question) {
  const { psbt, index, sighashTypes } = question
  const { script = new Uint8Array() } = psbt.spent[index] ?? {}
  if (OutScript.decode(script).type === 'tr') return readKeySignature(question, script)
  const [signature, publicKey] = findSignature(question.input)
  const sighash = signature?.at(-1)
  if (!signature || !publicKey || sighash === undefined)
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  if (!sighashTypes.includes(sighash)) return undefined
  const hash = hashInput({ psbt, index, publicKey, sighash })
  if (!hash || !verifyEcdsa({ signature: signature.subarray(0, -1), hash, publicKey }))
    return undefined
  const isNested = equalBytes(p2sh(p2wpkh(publicKey)).script, script)
  return {
    partialSig: [[publicKey, signature] as [Uint8Array, Uint8Array]],
    ...(isNested && { redeemScript: p2wpkh(publicKey).script }),
  }
}

/** Of a Taproot input that is spent by its key. */
function readKeySignature({ psbt, index, sighashTypes, input }: Question, script: Uint8Array) {
  const signature = input.finalScriptWitness?.[0] ?? input.tapKeySig
  if (!signature) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const sighash = signature[64] ?? 0
  if (!sighashTypes.includes(sighash)) return undefined
  const scripts = psbt.spent.map((one) => one.script)
  const values = psbt.spent.map(({ value }) => value)
  const hash = psbt.transaction.preimageWitnessV1(index, scripts, sighash, values)
  const publicKey = script.subarray(2)
  const isValid = verifySchnorr({ signature: signature.subarray(0, 64), hash, publicKey })
  return isValid ? { tapKeySig: signature } : undefined
}

/** Signature and public key, of a finished input or one that is not. */
function findSignature(input: Question['input']): readonly (Uint8Array | undefined)[] {
  const [partial] = input.partialSig ?? []
  if (partial) return [partial[1], partial[0]]
  if (input.finalScriptWitness) return input.finalScriptWitness
  if (!input.finalScriptSig) return []
  return Script.decode(input.finalScriptSig).filter((part) => part instanceof Uint8Array)
}

/** What a key signs of an input; undefined where the input is not that key's. */
function hashInput(parameters: {
  psbt: Psbt
  index: number
  publicKey: Uint8Array
  sighash: number
}): Uint8Array | undefined {
  const { psbt, index, publicKey, sighash } = parameters
  const { script, value } = psbt.spent[index] ?? { script: new Uint8Array(), value: 0n }
  const code = p2pkh(publicKey).script
  const witness = p2wpkh(publicKey)
  if (equalBytes(witness.script, script) || equalBytes(p2sh(witness).script, script))
    return psbt.transaction.preimageWitnessV0(index, code, sighash, value)
  return equalBytes(code, script) && sighash === sighashAll
    ? hashLegacy(psbt.transaction, index, code)
    : undefined
}

/** What a signature of an input without witness is made over: the transaction with that input's script alone. */
function hashLegacy(transaction: Transaction, at: number, script: Uint8Array) {
  const raw = RawOldTx.decode(transaction.unsignedTx)
  const inputs = raw.inputs.map((input, index) => ({
    ...input,
    finalScriptSig: index === at ? script : new Uint8Array(),
  }))
  const preimage = RawOldTx.encode({ ...raw, inputs })
  return sha256x2(concatBytes(preimage, Uint8Array.of(sighashAll, 0, 0, 0)))
}
