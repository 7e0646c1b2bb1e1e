import { type ConnectorInfo, isSameWallet, type RecentWallet } from '@latchkey/core'
import type { DirectoryWallet } from '@latchkey/wire'

/** A row of the Connect view: a wallet that is here, or one of the directory that would have to be installed. */
export type WalletRow =
  | { kind: 'here'; info: ConnectorInfo; isRecent: boolean }
  | { kind: 'directory'; wallet: DirectoryWallet }

/** Each wallet once, in order: used lately, found in this browser, then the directory's recommended ones. */
export function walletRows({
  connectors,
  recent,
  wallets,
}: {
  connectors: readonly ConnectorInfo[]
  recent: readonly RecentWallet[]
  wallets: readonly DirectoryWallet[]
}): WalletRow[] {
  const age = (info: ConnectorInfo) => {
    const index = recent.findIndex((wallet) => wallet.id === info.id || isSameWallet(wallet, info))
    return index === -1 ? recent.length : index
  }
  const here = [...connectors]
    .sort((one, other) => age(one) - age(other))
    .map((info): WalletRow => ({ kind: 'here', info, isRecent: age(info) < recent.length }))
  const elsewhere = wallets
    .filter((wallet) => connectorOf(wallet, connectors) === undefined)
    .map((wallet): WalletRow => ({ kind: 'directory', wallet }))
  return [...here, ...elsewhere]
}

/** The connector of a directory wallet that is in this browser. */
export const connectorOf = (
  { id, name, rdns }: DirectoryWallet,
  connectors: readonly ConnectorInfo[],
): ConnectorInfo | undefined =>
  connectors.find((info) => isSameWallet(info, { name, walletId: id, ...(rdns && { rdns }) }))
