import type { Hex } from '../evm/hex.ts'
import type { ActivityRow, ActivityTransfer } from './activity.ts'

/** The native currency that a transaction itself moved to or from an account, as a list of one or none. */
export function nativeTransfers(
  { from, to, created, valueWei }: Pick<ActivityRow, 'from' | 'to' | 'created' | 'valueWei'>,
  address: Hex,
): ActivityTransfer[] {
  const receiver = to ?? created
  if (valueWei === 0n || receiver === undefined) return []
  if (from !== address && receiver !== address) return []
  const money = { standard: 'native', contract: undefined, tokenId: undefined } as const
  return [{ ...money, from, to: receiver, amount: valueWei }]
}
