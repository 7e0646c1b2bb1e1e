import type { ApprovalPosition } from '../activity/activity.ts'
import { approvalKinds } from '../evm/approvals.ts'
import type { Hex } from '../evm/hex.ts'

const form = new RegExp(
  `^(\\d{1,15}) (${approvalKinds.join('|')}) (0x[0-9a-f]{40}) (0x[0-9a-f]{40}) (\\d{0,78})$`,
)

export const writeAllowanceCursor = (place: ApprovalPosition): string =>
  Buffer.from(
    [place.changedAtMs, place.kind, place.contract, place.spender, place.tokenId ?? ''].join(' '),
  ).toString('base64url')

/** The position of a cursor; undefined if the cursor is not ours. */
export function readAllowanceCursor(cursor: string): ApprovalPosition | undefined {
  const parts = form.exec(Buffer.from(cursor.slice(0, 400), 'base64url').toString('latin1'))
  const [, changedAtMs, kind, contract, spender, tokenId] = parts ?? []
  if (contract === undefined || spender === undefined) return undefined
  return {
    changedAtMs: Number(changedAtMs),
    kind: approvalKinds.find((known) => known === kind) ?? 'erc20',
    contract: contract as Hex,
    spender: spender as Hex,
    tokenId: tokenId ? BigInt(tokenId) : undefined,
  }
}
