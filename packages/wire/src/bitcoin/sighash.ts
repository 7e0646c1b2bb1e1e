import { schnorr } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { hash256, uint32, uint64, withSize } from './bytes.ts'
import {
  type BitcoinTransaction,
  encodeBitcoinTransaction,
  encodeOutpoint,
  encodeOutput,
  type TransactionOutput,
} from './transaction.ts'

/** All sighash types. 0 is only for Taproot. */
export const sighashTypes: readonly number[] = [0, 1, 2, 3, 0x81, 0x82, 0x83]

type Signing = { transaction: BitcoinTransaction; index: number; sighash: number }

const all = 1
const none = 2
const single = 3
const empty = new Uint8Array()
const zeros = new Uint8Array(32)

const read = ({ transaction, index, sighash }: Signing) => {
  const input = transaction.inputs[index]
  const kind = sighash & 0x1f || all
  const isAlone = (sighash & 0x80) !== 0
  if (!input || !sighashTypes.includes(sighash)) throw new TypeError('Not a sighash type')
  return { input, kind, isAlone, own: transaction.outputs[index] }
}

/**
 * The hash that a signature of an input without witness signs: the script of only that input, and
 * all outputs.
 */
export function hashLegacy(parameters: {
  transaction: BitcoinTransaction
  index: number
  script: Uint8Array
}): Uint8Array {
  const { transaction, index, script } = parameters
  const inputs = transaction.inputs.map((input, at) => ({
    ...input,
    script: at === index ? script : empty,
  }))
  const bytes = encodeBitcoinTransaction({ ...transaction, inputs }, 'withoutWitness')
  return hash256(concatBytes(bytes, uint32(all)))
}

/**
 * BIP-143: the hash that a signature of an input of witness version 0 signs. `script` is the
 * input's script code.
 */
export function hashWitness(
  parameters: Signing & { script: Uint8Array; value: bigint },
): Uint8Array {
  const { transaction, sighash, script, value } = parameters
  const { input, kind, isAlone, own } = read(parameters)
  const { version, inputs, outputs, lockTime } = transaction
  const hashAll = (parts: readonly Uint8Array[]) => hash256(concatBytes(...parts))
  return hash256(
    concatBytes(
      uint32(version),
      isAlone ? zeros : hashAll(inputs.map(encodeOutpoint)),
      isAlone || kind !== all ? zeros : hashAll(inputs.map(({ sequence }) => uint32(sequence))),
      encodeOutpoint(input),
      withSize(script),
      uint64(value),
      uint32(input.sequence),
      kind === all
        ? hashAll(outputs.map(encodeOutput))
        : kind === single && own
          ? hash256(encodeOutput(own))
          : zeros,
      uint32(lockTime),
      uint32(sighash),
    ),
  )
}

/**
 * BIP-341: the hash that a signature of an input spent by its Taproot key signs. `spent` has the
 * outputs that all inputs spend.
 */
export function hashTaproot(
  parameters: Signing & { spent: readonly TransactionOutput[] },
): Uint8Array {
  const { transaction, index, sighash, spent } = parameters
  const { input, kind, isAlone, own } = read(parameters)
  const { version, inputs, outputs, lockTime } = transaction
  const ownSpent = spent[index]
  // A single output that does not exist cannot be signed.
  if (!ownSpent || spent.length !== inputs.length || (kind === single && !own))
    throw new TypeError('Nothing to sign')
  const hashAll = (parts: readonly Uint8Array[]) => sha256(concatBytes(...parts))
  const whole = () =>
    concatBytes(
      hashAll(inputs.map(encodeOutpoint)),
      hashAll(spent.map(({ value }) => uint64(value))),
      hashAll(spent.map(({ script }) => withSize(script))),
      hashAll(inputs.map(({ sequence }) => uint32(sequence))),
    )
  const message = concatBytes(
    // The epoch.
    Uint8Array.of(0, sighash),
    uint32(version),
    uint32(lockTime),
    isAlone ? empty : whole(),
    kind === all ? hashAll(outputs.map(encodeOutput)) : empty,
    // Spent by the key, without an annex.
    Uint8Array.of(0),
    isAlone
      ? concatBytes(encodeOutpoint(input), encodeOutput(ownSpent), uint32(input.sequence))
      : uint32(index),
    kind === single && own ? sha256(encodeOutput(own)) : empty,
  )
  return schnorr.utils.taggedHash('TapSighash', message)
}

/**
 * Whether a type lets others change the outputs, or all outputs except one; true for unknown types.
 */
export const changesOutputs = (sighash: number): boolean => ![0, all, 0x80 | all].includes(sighash)

/** Whether a type lets others add inputs; true for unknown types. */
export const addsInputs = (sighash: number): boolean => ![0, all, none, single].includes(sighash)
