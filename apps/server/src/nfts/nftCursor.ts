import type { FollowedAccount } from '../activity/activity.ts'
import { readCursorText, writeCursorText } from '../http/request/cursorText.ts'
import type { NftPosition } from './readNftsAfter.ts'

const version = 5
const positionBytes = 63

/** Writes a position as an opaque string, bound to the account and its network. */
export function writeNftCursor(
  { offset, movedAtMs, contract, tokenId }: NftPosition,
  { chainId, address }: FollowedAccount,
): string {
  const bytes = Buffer.alloc(positionBytes)
  bytes.writeUInt8(version, 0)
  bytes.writeUInt32BE(offset, 1)
  bytes.writeUIntBE(movedAtMs, 5, 6)
  bytes.write(contract.slice(2), 11, 'hex')
  bytes.write(tokenId.toString(16).padStart(64, '0'), 31, 'hex')
  return writeCursorText(bytes, [address, chainId])
}

/**
 * Reads the position in a cursor; undefined if the string is not our cursor or belongs to another
 * account or network.
 */
export function readNftCursor(
  text: string,
  { chainId, address }: FollowedAccount,
): NftPosition | undefined {
  const bytes = readCursorText(text, { version, positionBytes, scope: [address, chainId] })
  if (!bytes) return undefined
  return {
    offset: bytes.readUInt32BE(1),
    movedAtMs: bytes.readUIntBE(5, 6),
    contract: `0x${bytes.toString('hex', 11, 31)}`,
    tokenId: BigInt(`0x${bytes.toString('hex', 31)}`),
  }
}
