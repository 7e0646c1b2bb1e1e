import type { StoredWallet } from '../src/directory/selectWallets.ts'

/** Wallets whose last check is more than six months before `now`, the oldest checks first. */
export function findUnchecked<Wallet extends Pick<StoredWallet, 'checked_at'>>(
  wallets: readonly Wallet[],
  now: Date,
): Wallet[] {
  const limit = new Date(now)
  limit.setUTCMonth(limit.getUTCMonth() - 6)
  return wallets
    .filter(({ checked_at }) => Date.parse(checked_at) < limit.getTime())
    .sort((a, b) => a.checked_at.localeCompare(b.checked_at))
}
