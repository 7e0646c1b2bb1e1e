import { formatUnits, type HistoryApproval } from '@latchkey/wire'
import { getAddress } from 'viem/utils'
import type { ActivityRow, RowApproval } from '../activity/activity.ts'
import { isUnlimited } from '../evm/approvals.ts'
import type { Hex } from '../evm/hex.ts'
import type { ListedTokens } from '../tokens/listedTokens.ts'
import { hideBait } from '../tokens/spam.ts'
import type { TokenFacts } from '../tokens/tokenFacts.ts'
import { getOperationType } from './operationType.ts'

type Facts = {
  readonly listed: ListedTokens
  readonly facts: ReadonlyMap<Hex, TokenFacts>
}

/**
 * The approval that the account gave or revoked, if the transaction did nothing else: of several,
 * the approval of the called contract or else the first.
 */
export function getApproval(row: ActivityRow, account: Hex): RowApproval | undefined {
  if (row.from !== account || getOperationType(row, account) !== 'approve') return undefined
  return row.approvals?.find(({ contract }) => contract === row.to) ?? row.approvals?.[0]
}

/** An approval in the wire format. The facts of token lists take precedence over the contract's. */
export function toApprovalEntry(
  { kind, contract, spender, tokenId, amount }: RowApproval,
  { chainId, listed, facts }: Facts & Pick<ActivityRow, 'chainId'>,
): HistoryApproval {
  const known = listed.tokens.get(contract)
  const { name = null, symbol = null, decimals = null } = known ?? facts.get(contract) ?? {}
  const isFungible = kind === 'erc20' || kind === 'permit2'
  const hasAmount = isFungible && amount !== undefined && decimals !== null
  return {
    kind,
    token: {
      address: `${chainId}:${getAddress(contract)}`,
      name: known ? name : hideBait(name),
      symbol: known ? symbol : hideBait(symbol),
    },
    tokenId: tokenId === undefined ? null : String(tokenId),
    spender: getAddress(spender),
    amount: hasAmount ? formatUnits(amount, decimals) : null,
    isUnlimited: isFungible && amount !== undefined && isUnlimited(amount),
  }
}
