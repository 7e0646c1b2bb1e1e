import type { ApprovalPosition, FollowedAccount } from '../activity/activity.ts'
import { approvalKinds } from '../evm/approvals.ts'
import { readCursorText, writeCursorText } from '../http/request/cursorText.ts'

const version = 4
const positionBytes = 81

/** Writes a position as an opaque string, bound to the account and its network. */
export function writeAllowanceCursor(
  { changedAtMs, kind, contract, spender, tokenId }: ApprovalPosition,
  { chainId, address }: FollowedAccount,
): string {
  const bytes = Buffer.alloc(positionBytes)
  bytes.writeUInt8(version, 0)
  bytes.writeUIntBE(changedAtMs, 1, 6)
  bytes.writeUInt8(approvalKinds.indexOf(kind), 7)
  bytes.write(contract.slice(2), 8, 'hex')
  bytes.write(spender.slice(2), 28, 'hex')
  bytes.writeUInt8(tokenId === undefined ? 0 : 1, 48)
  bytes.write((tokenId ?? 0n).toString(16).padStart(64, '0'), 49, 'hex')
  return writeCursorText(bytes, [address, chainId])
}

/**
 * Reads the position in a cursor; undefined if the string is not our cursor or belongs to another
 * account or network.
 */
export function readAllowanceCursor(
  text: string,
  { chainId, address }: FollowedAccount,
): ApprovalPosition | undefined {
  const bytes = readCursorText(text, { version, positionBytes, scope: [address, chainId] })
  const kind = bytes && approvalKinds[bytes.readUInt8(7)]
  if (!bytes || kind === undefined) return undefined
  const readHex = (start: number, end: number) => `0x${bytes.toString('hex', start, end)}` as const
  return {
    changedAtMs: bytes.readUIntBE(1, 6),
    kind,
    contract: readHex(8, 28),
    spender: readHex(28, 48),
    tokenId: bytes.readUInt8(48) === 0 ? undefined : BigInt(readHex(49, 81)),
  }
}
