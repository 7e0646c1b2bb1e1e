import { readCursorText, writeCursorText } from '../../http/request/cursorText.ts'

/**
 * A position in an account's history: after a confirmed transaction, with the number of confirmed
 * transactions up to there.
 */
export type BitcoinPosition = { readonly txid: string; readonly count: number }

/** The scope in which a cursor is valid. */
type Scope = { readonly chainId: string; readonly owner: string }

const version = 3
const positionBytes = 1 + 4 + 32

/** Writes a position as an opaque string, bound to its scope. */
export function writeBitcoinCursor(
  { txid, count }: BitcoinPosition,
  { owner, chainId }: Scope,
): string {
  const bytes = Buffer.alloc(positionBytes)
  bytes.writeUInt8(version, 0)
  bytes.writeUInt32BE(count, 1)
  bytes.write(txid, 5, 'hex')
  return writeCursorText(bytes, [owner, chainId])
}

/**
 * Reads the position in a cursor; undefined if the string is not our cursor or belongs to another
 * scope.
 */
export function readBitcoinCursor(
  text: string,
  { owner, chainId }: Scope,
): BitcoinPosition | undefined {
  const bytes = readCursorText(text, { version, positionBytes, scope: [owner, chainId] })
  return bytes && { count: bytes.readUInt32BE(1), txid: bytes.subarray(5).toString('hex') }
}
