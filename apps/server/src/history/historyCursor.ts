import { createHash } from 'node:crypto'
import type { ChainId } from '@latchkey/wire'
import type { ActivityPosition } from '../activity/activity.ts'
import { getChainReference, toEvmChainId } from '../evm/chain.ts'

const version = 1
const placeBytes = 27
const boundBytes = 16
/** What the index can hold: the digest has no key, so anybody can write a cursor. */
const maxBlock = 2n ** 63n - 1n
const maxIndex = 2 ** 31 - 1
const textLength = Math.ceil(((placeBytes + boundBytes) * 4) / 3)

/** What a cursor is good for: the address and the network filter as they were asked. */
type CursorScope = { readonly address: string; readonly filter: string }

/**
 * A place as an opaque text of 58 characters: version, time, chain, block and index, and a digest that binds it to its
 * scope. It holds nothing secret and opens nothing, so the digest has no key.
 */
export function writeCursor(place: ActivityPosition, scope: CursorScope): string {
  const bytes = Buffer.alloc(placeBytes)
  bytes.writeUInt8(version, 0)
  bytes.writeUIntBE(place.minedAtMs, 1, 6)
  bytes.writeBigUInt64BE(BigInt(getChainReference(place.chainId)), 7)
  bytes.writeBigUInt64BE(place.blockNumber, 15)
  bytes.writeUInt32BE(place.index, 23)
  return Buffer.concat([bytes, bind(bytes, scope)]).toString('base64url')
}

/** The position in a cursor; undefined if the text is not a cursor of ours or belongs to another scope. */
export function readCursor(text: string, scope: CursorScope): ActivityPosition | undefined {
  if (text.length !== textLength || !/^[\w-]+$/.test(text)) return undefined
  const all = Buffer.from(text, 'base64url')
  const bytes = all.subarray(0, placeBytes)
  if (!all.subarray(placeBytes).equals(bind(bytes, scope))) return undefined
  // Several texts decode alike; only the one that was written counts.
  if (bytes.readUInt8(0) !== version || all.toString('base64url') !== text) return undefined
  const chainId: ChainId = toEvmChainId(bytes.readBigUInt64BE(7))
  const blockNumber = bytes.readBigUInt64BE(15)
  const index = bytes.readUInt32BE(23)
  if (blockNumber > maxBlock || index > maxIndex) return undefined
  return { minedAtMs: bytes.readUIntBE(1, 6), chainId, blockNumber, index }
}

const bind = (bytes: Uint8Array, { address, filter }: CursorScope) =>
  createHash('sha256')
    .update(JSON.stringify([address, filter]))
    .update(bytes)
    .digest()
    .subarray(0, boundBytes)
