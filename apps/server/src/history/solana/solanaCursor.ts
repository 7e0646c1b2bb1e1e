import { decodeBase58, encodeBase58 } from '@latchkey/wire'
import { readCursorText, writeCursorText } from '../../http/request/cursorText.ts'

/**
 * A position in an account's history: after everything newer. {@link beforeSlot} as signature sorts
 * behind all of its slot.
 */
export type SolanaPosition = { readonly slot: bigint; readonly signature: string }

/** The scope of a cursor. */
type Scope = { readonly chainId: string; readonly owner: string }

const version = 2
const signatureBytes = 64
const positionBytes = 1 + 8 + signatureBytes
const maxSlot = 2n ** 63n - 1n

/** Sorts behind every signature: the position before all transactions of a slot. */
export const beforeSlot = '~'

/** Writes a position as an opaque string, bound to its scope. */
export function writeSolanaCursor(
  { slot, signature }: SolanaPosition,
  { owner, chainId }: Scope,
): string {
  const bytes = Buffer.alloc(positionBytes)
  bytes.writeUInt8(version, 0)
  bytes.writeBigUInt64BE(slot, 1)
  if (signature !== beforeSlot) bytes.set(decodeBase58(signature) ?? [], 9)
  return writeCursorText(bytes, [owner, chainId])
}

/**
 * Reads the position in a cursor; undefined if the string is not our cursor or belongs to another
 * scope.
 */
export function readSolanaCursor(
  text: string,
  { owner, chainId }: Scope,
): SolanaPosition | undefined {
  const bytes = readCursorText(text, { version, positionBytes, scope: [owner, chainId] })
  const slot = bytes?.readBigUInt64BE(1)
  if (!bytes || slot === undefined || slot > maxSlot) return undefined
  const signature = bytes.subarray(9)
  return {
    slot,
    signature: signature.every((byte) => byte === 0) ? beforeSlot : encodeBase58(signature),
  }
}
