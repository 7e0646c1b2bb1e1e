import { LatchkeyError } from '@latchkey/wire'
import { verifyEcdsa, verifySchnorr } from '@latchkey/wire/bitcoin'
import { OutScript, p2pkh, p2wpkh, Script, Transaction } from '@scure/btc-signer'
import { RawOldTx } from '@scure/btc-signer/script.js'
import { concatBytes, equalBytes, sha256x2 } from '@scure/btc-signer/utils.js'

/** What each input of a transaction of ours spends. */
export type Spent = { script: Uint8Array; value: bigint }

const maxLength = 400_000
const sighashAll = 1

/**
 * Takes the signatures out of the PSBT that a wallet has answered (base64 or hex) and puts them into ours, which it was
 * asked to sign. It must be the same transaction, and each signature must be the owner's and hold for all inputs and
 * outputs; whatever else the answer has is dropped. Returns the bytes to send. Throws WALLET_ANSWER_INVALID.
 */
export function finalizePsbt(parameters: {
  psbt: Transaction
  spent: readonly Spent[]
  answer: unknown
}): Uint8Array {
  const { psbt, spent, answer } = parameters
  try {
    const signed = Transaction.fromPSBT(decode(answer), { allowUnknownOutputs: true })
    if (!equalBytes(signed.unsignedTx, psbt.unsignedTx)) throw new Error('another transaction')
    const final = psbt.clone()
    for (const [at, output] of spent.entries()) {
      const update = readSignature({ psbt, at, spent, output, input: signed.getInput(at) })
      if (!update) throw new Error(`input ${at} has no valid signature`)
      final.updateInput(at, update)
    }
    final.finalize()
    return final.extract()
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

function decode(answer: unknown): Uint8Array {
  if (typeof answer !== 'string' || answer.length > maxLength) throw new Error('no PSBT')
  if (/^(?:[0-9a-f]{2})+$/i.test(answer))
    return Uint8Array.from(answer.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return Uint8Array.from(atob(answer), (letter) => letter.charCodeAt(0))
}

type Question = {
  psbt: Transaction
  at: number
  spent: readonly Spent[]
  output: Spent
  input: ReturnType<Transaction['getInput']>
}

function readSignature({ psbt, at, spent, output, input }: Question) {
  const { script } = output
  const { type } = OutScript.decode(script) ?? {}
  if (type === 'tr') {
    const signature = input.finalScriptWitness?.[0] ?? input.tapKeySig
    if (!signature || (signature.length !== 64 && signature[64] !== sighashAll)) return undefined
    const [scripts, values] = [spent.map((one) => one.script), spent.map((one) => one.value)]
    const hash = psbt.preimageWitnessV1(at, scripts, signature[64] ?? 0, values)
    const publicKey = script.subarray(2)
    const valid = verifySchnorr({ signature: signature.subarray(0, 64), hash, publicKey })
    return valid ? { tapKeySig: signature } : undefined
  }
  const [signature, publicKey] = findSignature(input)
  if (!signature || !publicKey || signature.at(-1) !== sighashAll) return undefined
  const isWitness = type === 'wpkh'
  const own = isWitness ? p2wpkh(publicKey) : p2pkh(publicKey)
  if (!equalBytes(own.script, script)) return undefined
  const code = p2pkh(publicKey).script
  const hash = isWitness
    ? psbt.preimageWitnessV0(at, code, sighashAll, output.value)
    : hashLegacy(psbt, at, code)
  const valid = verifyEcdsa({ signature: signature.subarray(0, -1), hash, publicKey })
  return valid ? { partialSig: [[publicKey, signature] as [Uint8Array, Uint8Array]] } : undefined
}

/** Signature and public key, of a finished input or one that is not. */
function findSignature(input: Question['input']): readonly (Uint8Array | undefined)[] {
  const [partial] = input.partialSig ?? []
  if (partial) return [partial[1], partial[0]]
  if (input.finalScriptWitness) return input.finalScriptWitness
  if (!input.finalScriptSig) return []
  return Script.decode(input.finalScriptSig).filter((part) => part instanceof Uint8Array)
}

/** What a signature of an input without witness is made over: the transaction with that input's script alone. */
function hashLegacy(psbt: Transaction, at: number, script: Uint8Array) {
  const raw = RawOldTx.decode(psbt.unsignedTx)
  const inputs = raw.inputs.map((input, index) => ({
    ...input,
    finalScriptSig: index === at ? script : new Uint8Array(),
  }))
  const preimage = RawOldTx.encode({ ...raw, inputs })
  return sha256x2(concatBytes(preimage, Uint8Array.of(sighashAll, 0, 0, 0)))
}
