import { schnorr } from '@noble/curves/secp256k1.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { type BitcoinTransaction, hashTransaction, type TransactionInput } from './transaction.ts'

/**
 * BIP-322's virtual transactions: the first pays to the script and contains the message's hash; the
 * second spends it and is signed.
 */
export function buildMessageTransactions(
  script: Uint8Array,
  text: Uint8Array,
): { toSpend: BitcoinTransaction; toSign: BitcoinTransaction } {
  const hash = schnorr.utils.taggedHash('BIP0322-signed-message', text)
  const base = { sequence: 0, witness: [] }
  const nothing = { ...base, txid: new Uint8Array(32), index: 0xffff_ffff }
  const toSpend = build(
    { ...nothing, script: concatBytes(Uint8Array.of(0, hash.length), hash) },
    script,
  )
  const spends = { ...base, txid: hashTransaction(toSpend), index: 0, script: new Uint8Array() }
  // The output pays nothing: OP_RETURN.
  return { toSpend, toSign: build(spends, Uint8Array.of(0x6a)) }
}

const build = (input: TransactionInput, script: Uint8Array): BitcoinTransaction => ({
  version: 0,
  inputs: [input],
  outputs: [{ value: 0n, script }],
  lockTime: 0,
})
