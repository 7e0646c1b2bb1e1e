import { RawTx } from '@scure/btc-signer'
import { RawOldTx } from '@scure/btc-signer/script.js'
import { sha256x2 } from '@scure/btc-signer/utils.js'

/** The origin of a coin: an output of a transaction, written `txid:vout`. */
export type Outpoint = `${string}:${number}`

export type Input = {
  txid: string
  vout: number
  outpoint: Outpoint
  scriptSig: Uint8Array
  witness: readonly Uint8Array[]
  sequence: number
}

export type Output = { script: Uint8Array; value: bigint }

/**
 * A transaction and the values derived from its bytes. Ids have the usual display form: hex,
 * reversed.
 */
export type Transaction = {
  txid: string
  wtxid: string
  bytes: Uint8Array
  version: number
  lockTime: number
  inputs: readonly Input[]
  outputs: readonly Output[]
  isCoinbase: boolean
  /** In bytes without the witnesses. */
  baseSize: number
  weight: number
  vsize: number
}

/** Reads a serialized transaction. Throws if the bytes are not exactly one transaction. */
export function parseTransaction(bytes: Uint8Array): Transaction {
  const raw = RawTx.decode(bytes)
  const base = RawOldTx.encode(raw)
  const inputs = raw.inputs.map(({ txid, index, finalScriptSig, sequence }, at): Input => {
    const id = toHex(txid)
    return {
      txid: id,
      vout: index,
      outpoint: `${id}:${index}`,
      scriptSig: finalScriptSig,
      witness: raw.witnesses?.[at] ?? [],
      sequence,
    }
  })
  const weight = base.length * 3 + bytes.length
  return {
    txid: toId(sha256x2(base)),
    wtxid: toId(sha256x2(bytes)),
    bytes,
    version: raw.version,
    lockTime: raw.lockTime,
    inputs,
    outputs: raw.outputs.map(({ amount, script }) => ({ value: amount, script })),
    isCoinbase: inputs.length === 1 && /^0{64}:4294967295$/.test(inputs[0]?.outpoint ?? ''),
    baseSize: base.length,
    weight,
    vsize: Math.ceil(weight / 4),
  }
}

/** A hash as an id: hex, its bytes in reverse. */
export const toId = (hash: Uint8Array): string => toHex(Uint8Array.from(hash).reverse())

/** Bytes as hex. */
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
