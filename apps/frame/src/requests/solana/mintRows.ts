import type { ApprovalRow } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { solanaTexts } from '../../locales/solana.en.ts'
import type { DecodedTransaction } from './readTransaction.ts'

/**
 * The rows of a token: its mint, and the name from our server. The name can be a lie, so it is
 * never shown alone.
 */
export function mintRows(
  mint: string | undefined,
  { names }: Pick<DecodedTransaction['claims'], 'names'>,
): ApprovalRow[] {
  if (mint === undefined) return []
  const name = names.get(mint)
  return [
    { label: approvals.approve.token, address: mint },
    ...(name ? [{ label: solanaTexts.claimedName, value: `“${name}”` }] : []),
  ]
}
