import { createHash } from 'node:crypto'

/** A place in an account's history: after a confirmed transaction, with the number of confirmed ones up to there. */
export type BitcoinPlace = { readonly txid: string; readonly count: number }

/** What a cursor is good for. */
type Scope = { readonly chainId: string; readonly owner: string }

const version = 3
const placeBytes = 1 + 4 + 32
const boundBytes = 16

/** A place as an opaque text, with a digest that binds it to its scope. It holds nothing secret. */
export function writeBitcoinCursor({ txid, count }: BitcoinPlace, scope: Scope): string {
  const bytes = Buffer.alloc(placeBytes)
  bytes.writeUInt8(version, 0)
  bytes.writeUInt32BE(count, 1)
  bytes.write(txid, 5, 'hex')
  return Buffer.concat([bytes, bind(bytes, scope)]).toString('base64url')
}

/** The place in a cursor; undefined if the text is not a cursor of ours or belongs to another scope. */
export function readBitcoinCursor(text: string, scope: Scope): BitcoinPlace | undefined {
  const all = Buffer.from(text.slice(0, 200), 'base64url')
  if (all.length !== placeBytes + boundBytes || all.toString('base64url') !== text) return undefined
  const bytes = all.subarray(0, placeBytes)
  if (!all.subarray(placeBytes).equals(bind(bytes, scope)) || bytes.readUInt8(0) !== version)
    return undefined
  return { count: bytes.readUInt32BE(1), txid: bytes.subarray(5).toString('hex') }
}

const bind = (bytes: Uint8Array, { chainId, owner }: Scope) =>
  createHash('sha256')
    .update(JSON.stringify([owner, chainId]))
    .update(bytes)
    .digest()
    .subarray(0, boundBytes)
