import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'

const hash160 = (bytes: Uint8Array) => ripemd160(sha256(bytes))

/** The script that pays a public key's hash; also the script code of P2WPKH signatures. */
export const payPublicKeyHash = (publicKey: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(0x76, 0xa9, 20), hash160(publicKey), Uint8Array.of(0x88, 0xac))

/** The script that pays a public key's hash as witness version 0. */
export const payWitnessPublicKeyHash = (publicKey: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(0, 20), hash160(publicKey))

/** The script that pays a script's hash. */
export const payScriptHash = (script: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(0xa9, 20), hash160(script), Uint8Array.of(0x87))

/** The script that pays a public key's hash inside P2SH. */
export const payNestedWitness = (publicKey: Uint8Array): Uint8Array =>
  payScriptHash(payWitnessPublicKeyHash(publicKey))

/** Whether a script is a Taproot output. */
export const isTaprootScript = (script: Uint8Array): boolean =>
  script.length === 34 && script[0] === 0x51 && script[1] === 32

/**
 * The pushed data of a script that only has plain pushes of up to 75 bytes; an empty list for any
 * other script.
 */
export function readPushes(script: Uint8Array): readonly Uint8Array[] {
  const pushes: Uint8Array[] = []
  for (let at = 0; at < script.length; ) {
    const length = script[at] ?? 0
    if (length === 0 || length > 75 || at + 1 + length > script.length) return []
    pushes.push(script.subarray(at + 1, at + 1 + length))
    at += 1 + length
  }
  return pushes
}
