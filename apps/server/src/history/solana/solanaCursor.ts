import { createHash } from 'node:crypto'
import { decodeBase58, encodeBase58 } from '@latchkey/wire'

/** A place in an account's history: after everything newer. A signature of `last` stands after all others of its slot. */
export type SolanaPlace = { readonly slot: bigint; readonly signature: string }

/** What a cursor is good for. */
type Scope = { readonly chainId: string; readonly owner: string }

const version = 2
const signatureBytes = 64
const placeBytes = 1 + 8 + signatureBytes
const boundBytes = 16
const maxSlot = 2n ** 63n - 1n

/** Sorts behind every signature: the place before all transactions of a slot. */
export const beforeSlot = '~'

/** A place as an opaque text, with a digest that binds it to its scope. It holds nothing secret. */
export function writeSolanaCursor({ slot, signature }: SolanaPlace, scope: Scope): string {
  const bytes = Buffer.alloc(placeBytes)
  bytes.writeUInt8(version, 0)
  bytes.writeBigUInt64BE(slot, 1)
  if (signature !== beforeSlot) bytes.set(decodeBase58(signature) ?? [], 9)
  return Buffer.concat([bytes, bind(bytes, scope)]).toString('base64url')
}

/** The place in a cursor; undefined if the text is not a cursor of ours or belongs to another scope. */
export function readSolanaCursor(text: string, scope: Scope): SolanaPlace | undefined {
  const all = Buffer.from(text.slice(0, 200), 'base64url')
  if (all.length !== placeBytes + boundBytes || all.toString('base64url') !== text) return undefined
  const bytes = all.subarray(0, placeBytes)
  if (!all.subarray(placeBytes).equals(bind(bytes, scope))) return undefined
  const slot = bytes.readBigUInt64BE(1)
  if (bytes.readUInt8(0) !== version || slot > maxSlot) return undefined
  const signature = bytes.subarray(9)
  return {
    slot,
    signature: signature.every((byte) => byte === 0) ? beforeSlot : encodeBase58(signature),
  }
}

const bind = (bytes: Uint8Array, { chainId, owner }: Scope) =>
  createHash('sha256')
    .update(JSON.stringify([owner, chainId]))
    .update(bytes)
    .digest()
    .subarray(0, boundBytes)
