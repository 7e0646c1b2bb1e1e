import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { verifyEcdsa } from './verifySignature.ts'

const pushKey = 33
const checkMultisig = 0xae
/** OP_1 to OP_16. */
const toCount = (code: number | undefined) =>
  code !== undefined && code >= 0x51 && code <= 0x60 ? code - 0x50 : 0

/** The script that pays a script's hash as witness version 0 (P2WSH). */
export const payWitnessScriptHash = (script: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(0, 32), sha256(script))

/**
 * The keys of a multisig script, and how many of them have to sign; undefined for any other script.
 */
export function parseMultisig(
  script: Uint8Array,
): { readonly needed: number; readonly keys: readonly Uint8Array[] } | undefined {
  const [needed, count] = [toCount(script[0]), toCount(script.at(-2))]
  if (needed === 0 || needed > count || script.at(-1) !== checkMultisig) return undefined
  if (script.length !== 3 + count * (1 + pushKey)) return undefined
  const keys = Array.from({ length: count }, (_, at) => {
    const start = 1 + at * (1 + pushKey)
    return script[start] === pushKey ? script.subarray(start + 1, start + 1 + pushKey) : undefined
  })
  return keys.every((key) => key !== undefined) ? { needed, keys } : undefined
}

/**
 * Whether a multisig's keys made the DER signatures over a hash: as many as needed, in the order of
 * the keys.
 */
export function verifyMultisig(
  { needed, keys }: { readonly needed: number; readonly keys: readonly Uint8Array[] },
  { signatures, hash }: { readonly signatures: readonly Uint8Array[]; readonly hash: Uint8Array },
): boolean {
  if (signatures.length !== needed) return false
  let next = 0
  return signatures.every((signature) => {
    while (next < keys.length) {
      const publicKey = keys[next++]
      if (publicKey && verifyEcdsa({ signature, hash, publicKey })) return true
    }
    return false
  })
}
