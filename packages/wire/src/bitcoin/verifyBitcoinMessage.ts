import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { createReader, encodeSize, equalBytes, hash256 } from './bytes.ts'
import { buildMessageTransactions } from './messageTransactions.ts'
import { parseMultisig, payWitnessScriptHash, verifyMultisig } from './multisig.ts'
import {
  type BitcoinAddress,
  type BitcoinNetwork,
  parseBitcoinAddress,
} from './parseBitcoinAddress.ts'
import {
  payNestedWitness,
  payPublicKeyHash,
  payScriptHash,
  payWitnessPublicKeyHash,
} from './scripts.ts'
import { hashTaproot, hashWitness } from './sighash.ts'
import { readStack } from './transaction.ts'
import { verifyEcdsa, verifySchnorr } from './verifySignature.ts'

const maxMessageLength = 100_000
/** Enough for a multisig of 16 keys, in hex. */
const maxSignatureLength = 4_000
const sighashAll = 1

/**
 * Whether the owner of an address has signed a message: with a recoverable ECDSA signature
 * (BIP-137, or its older form without the kind of address), or BIP-322's simple form for P2WPKH,
 * P2SH-P2WPKH, multisigs of P2WSH and P2SH-P2WSH, and the key path of P2TR. The signature is base64
 * or hex. Returns false for malformed input, for all other kinds of address, and for BIP-322's full
 * form and proofs of funds. The full form is only valid from a certain time on, and no caller here
 * needs it.
 */
export function verifyBitcoinMessage(parameters: {
  address: string
  network: BitcoinNetwork
  message: string
  signature: string
}): boolean {
  const { message } = parameters
  const address = parseBitcoinAddress(parameters.address, parameters.network)
  const signature = decodeSignature(parameters.signature)
  if (!address || !signature || message.length > maxMessageLength) return false
  try {
    const text = new TextEncoder().encode(message)
    return signature.length === 65
      ? verifyRecoverable(address, text, signature)
      : verifySimple(address, text, readWitness(signature))
  } catch {
    return false
  }
}

function decodeSignature(signature: string): Uint8Array | undefined {
  if (signature.length > maxSignatureLength) return undefined
  if (/^(?:[0-9a-f]{2})+$/i.test(signature))
    return Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  // BIP-322 puts a prefix for the form before the base64.
  const base64 = signature.replace(/^smp/, '')
  if (!/^[0-9a-z+/]+={0,2}$/i.test(base64) || base64.length % 4 !== 0) return undefined
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

function readWitness(bytes: Uint8Array): readonly Uint8Array[] {
  const reader = createReader(bytes)
  const witness = readStack(reader)
  return reader.isAtEnd() ? witness : []
}

const magic = new TextEncoder().encode('\x18Bitcoin Signed Message:\n')

/** BIP-137: the first byte is the recovery id (four possible keys) and the kind of address. */
function verifyRecoverable(address: BitcoinAddress, text: Uint8Array, signature: Uint8Array) {
  const header = (signature[0] ?? 0) - 27
  if (header < 0 || header > 15) return false
  const form = header >> 2
  const hash = hash256(concatBytes(magic, encodeSize(text.length), text))
  const [r, s] = [toNumber(signature.subarray(1, 33)), toNumber(signature.subarray(33))]
  const point = new secp256k1.Signature(r, s).addRecoveryBit(header & 3).recoverPublicKey(hash)
  const publicKey = point.toBytes(form > 0)
  const scripts = {
    p2pkh: payPublicKeyHash,
    p2sh: payNestedWitness,
    p2wpkh: payWitnessPublicKeyHash,
  }
  // Many wallets write the header of P2PKH's compressed key for every kind of address.
  const allowed = ([['p2pkh'], ['p2pkh', 'p2sh', 'p2wpkh'], ['p2sh'], ['p2wpkh']] as const)[form]
  return !!allowed?.some(
    (type) => type === address.type && equalBytes(scripts[type](publicKey), address.script),
  )
}

const toNumber = (bytes: Uint8Array) =>
  bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

/**
 * BIP-322: the witness of a virtual transaction that spends the output of another virtual
 * transaction to the address.
 */
function verifySimple(
  { type, script }: BitcoinAddress,
  text: Uint8Array,
  witness: readonly Uint8Array[],
): boolean {
  const signing = { transaction: buildMessageTransactions(script, text).toSign, index: 0 }
  const [signature, publicKey] = witness
  if (type === 'p2tr') {
    if (!signature || witness.length !== 1) return false
    // 64 bytes sign everything by default; a 65th byte states it explicitly.
    if (signature.length !== 64 && !(signature.length === 65 && signature[64] === sighashAll))
      return false
    const spent = [{ script, value: 0n }]
    const hash = hashTaproot({ ...signing, sighash: signature[64] ?? 0, spent })
    return verifySchnorr({
      signature: signature.subarray(0, 64),
      hash,
      publicKey: script.subarray(2),
    })
  }
  const multisig = findMultisig(script, witness)
  if (multisig) {
    const given = witness.slice(1, -1)
    if (witness[0]?.length !== 0 || given.some((one) => one.at(-1) !== sighashAll)) return false
    const code = witness.at(-1) ?? script
    const hash = hashWitness({ ...signing, sighash: sighashAll, script: code, value: 0n })
    return verifyMultisig(multisig, { signatures: given.map((one) => one.subarray(0, -1)), hash })
  }
  if (!signature || publicKey?.length !== 33 || witness.length !== 2) return false
  const expected = { p2wpkh: payWitnessPublicKeyHash, p2sh: payNestedWitness }[type as string]
  if (!expected || !equalBytes(expected(publicKey), script) || signature.at(-1) !== sighashAll)
    return false
  const code = payPublicKeyHash(publicKey)
  const hash = hashWitness({ ...signing, sighash: sighashAll, script: code, value: 0n })
  return verifyEcdsa({ signature: signature.subarray(0, -1), hash, publicKey })
}

/** The multisig that the witness ends with, if the address pays to it. */
function findMultisig(script: Uint8Array, witness: readonly Uint8Array[]) {
  const last = witness.at(-1)
  if (!last || last.length < 3) return undefined
  const direct = payWitnessScriptHash(last)
  const isPaid = equalBytes(direct, script) || equalBytes(payScriptHash(direct), script)
  return isPaid ? parseMultisig(last) : undefined
}
