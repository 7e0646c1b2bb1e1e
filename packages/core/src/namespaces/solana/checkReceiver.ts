import type { Address } from '@solana/kit'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { canHaveKey } from './addresses.ts'
import { type AccountData, nodeRefused } from './nodeResponses.ts'
import { getTokenKind } from './token.ts'

/**
 * Throws TRANSFER_REFUSED for an address from which tokens could never be sent on. Returns whether
 * it belongs to a program, like the vault of a multi-signature wallet. Such an address can be used,
 * but no key controls it directly.
 */
export function checkReceiver(address: Address, account: AccountData | undefined): boolean {
  const problem = account ? getWhat(account) : canHaveKey(address) ? undefined : 'a program'
  if (problem) throw nodeRefused(`This address belongs to ${problem}, not to a wallet`)
  return !canHaveKey(address)
}

function getWhat(account: AccountData): string | undefined {
  const kind = getTokenKind(account)
  if (kind) return kind === 'mint' ? 'a token' : 'a token account'
  // Wallets are accounts of the System program that hold no data.
  const isWallet = account.owner === SYSTEM_PROGRAM_ADDRESS && account.data.length === 0
  return isWallet && !account.executable ? undefined : 'a program'
}
