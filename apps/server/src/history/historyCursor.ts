import type { ChainId } from '@latchkey/wire'
import type { ActivityPosition } from '../activity/activity.ts'
import { getChainReference, toEvmChainId } from '../evm/chain.ts'
import { readCursorText, writeCursorText } from '../http/request/cursorText.ts'

const version = 1
const positionBytes = 27
/**
 * The largest value of the index column. Checked because the digest has no key, so anyone can write
 * a cursor.
 */
const maxBlock = 2n ** 63n - 1n
const maxIndex = 2 ** 31 - 1

/** The scope of a cursor: the address and the network filter of the request. */
type CursorScope = { readonly address: string; readonly filter: string }

/**
 * Writes a position as an opaque string of 58 characters: version, time, chain, block and index,
 * bound to its scope.
 */
export function writeHistoryCursor(
  position: ActivityPosition,
  { address, filter }: CursorScope,
): string {
  const bytes = Buffer.alloc(positionBytes)
  bytes.writeUInt8(version, 0)
  bytes.writeUIntBE(position.minedAtMs, 1, 6)
  bytes.writeBigUInt64BE(BigInt(getChainReference(position.chainId)), 7)
  bytes.writeBigUInt64BE(position.blockNumber, 15)
  bytes.writeUInt32BE(position.index, 23)
  return writeCursorText(bytes, [address, filter])
}

/**
 * The position in a cursor; undefined if the string is not our cursor or belongs to another scope.
 */
export function readHistoryCursor(
  text: string,
  { address, filter }: CursorScope,
): ActivityPosition | undefined {
  const bytes = readCursorText(text, { version, positionBytes, scope: [address, filter] })
  if (!bytes) return undefined
  const chainId: ChainId = toEvmChainId(bytes.readBigUInt64BE(7))
  const blockNumber = bytes.readBigUInt64BE(15)
  const index = bytes.readUInt32BE(23)
  if (blockNumber > maxBlock || index > maxIndex) return undefined
  return { minedAtMs: bytes.readUIntBE(1, 6), chainId, blockNumber, index }
}
