import {
  type ConnectorInfo,
  type ConnectorType,
  isSameInstalledWallet,
  type RecentWallet,
  type View,
} from '@latchkey/core/internal'
import type { DirectoryWallet } from '@latchkey/wire'

/**
 * A row of the Connect view: the QR code, a wallet of this browser, a wallet connected by QR code
 * before, or a wallet of the directory.
 */
export type WalletListRow =
  | { kind: 'code'; info: ConnectorInfo }
  /** `connectors` has a connector for each of the wallet's namespaces, `info` is the first. */
  | {
      kind: 'here'
      info: ConnectorInfo
      connectors: readonly [ConnectorInfo, ...ConnectorInfo[]]
      isRecent: boolean
    }
  | { kind: 'remote'; wallet: RecentWallet & { walletId: string } }
  | { kind: 'directory'; wallet: DirectoryWallet }

const defaultOrder: readonly ConnectorType[] = [
  'walletConnect',
  'recent',
  'injected',
  'featured',
  'custom',
  'external',
  'recommended',
]

/**
 * Each wallet once, in groups: the groups in `order` first to last, then the others in the default
 * order.
 */
export function walletRows({
  connectors,
  recent,
  wallets,
  custom = [],
  featuredIds = [],
  order = [],
  canConnect = () => true,
}: {
  connectors: readonly ConnectorInfo[]
  recent: readonly RecentWallet[]
  /** Featured and recommended wallets of the directory. */
  wallets: readonly DirectoryWallet[]
  /** Wallets that the app configured. */
  custom?: readonly DirectoryWallet[] | undefined
  featuredIds?: readonly string[] | undefined
  order?: readonly ConnectorType[] | undefined
  /** Whether a wallet of the directory can be connected on this device; others are left out. */
  canConnect?: (wallet: DirectoryWallet) => boolean
}): WalletListRow[] {
  const code = findPairingConnector(connectors)
  const local = groupByWallet(connectors.filter(isLocal))
  const lately = recent.flatMap((wallet): WalletListRow[] => {
    const own = local.find((group) =>
      group.some((each) => each.id === wallet.id || isSameInstalledWallet(wallet, each)),
    )
    if (own) return [{ kind: 'here', info: own[0], connectors: own, isRecent: true }]
    const { walletId } = wallet
    return code && wallet.id === code.id && walletId !== undefined
      ? [{ kind: 'remote', wallet: { ...wallet, walletId } }]
      : []
  })
  const others = local
    .filter(([info]) => !lately.some((row) => row.kind === 'here' && row.info === info))
    .map((own) => ({ kind: 'here', info: own[0], connectors: own, isRecent: false }) as const)
  const elsewhere = [...custom, ...wallets]
    .filter((wallet, index, all) => all.findIndex((other) => isSame(other, wallet)) === index)
    .filter((wallet) => findConnectors(wallet, connectors).length === 0)
    .filter(({ id }) => !lately.some((row) => row.kind === 'remote' && row.wallet.walletId === id))
    .filter((wallet) => canConnect(wallet))
    .map((wallet) => ({ kind: 'directory', wallet }) as const)
  const isExternal = ({ info }: { info: ConnectorInfo }) => info.traits?.isExternal
  const isCustom = (wallet: DirectoryWallet) => custom.includes(wallet)
  const isFeatured = ({ id }: DirectoryWallet) => featuredIds.includes(id)
  const groups: Record<ConnectorType, readonly WalletListRow[]> = {
    walletConnect: code ? [{ kind: 'code', info: code }] : [],
    recent: lately,
    injected: others.filter((row) => !isExternal(row)),
    featured: elsewhere.filter(({ wallet }) => isFeatured(wallet)),
    custom: elsewhere.filter(({ wallet }) => isCustom(wallet) && !isFeatured(wallet)),
    external: others.filter(isExternal),
    recommended: elsewhere.filter(({ wallet }) => !isCustom(wallet) && !isFeatured(wallet)),
  }
  return [...new Set([...order, ...defaultOrder])].flatMap((type) => groups[type])
}

/**
 * The connectors of each wallet: a wallet that announces itself in several namespaces has several.
 */
function groupByWallet(infos: readonly ConnectorInfo[]) {
  const groups: [ConnectorInfo, ...ConnectorInfo[]][] = []
  for (const info of infos) {
    const own = groups.find(([first]) => isSameInstalledWallet(first, info))
    if (own) own.push(info)
    else groups.push([info])
  }
  return groups
}

/** Whether a connector is for a single wallet: of this browser, or brought by the app. */
const isLocal = ({ traits }: ConnectorInfo) => !traits?.pairs && !traits?.hasLogin

/** A key that identifies a row. */
export function getRowKey(row: WalletListRow): string {
  if (row.kind === 'remote') return row.wallet.walletId
  return row.kind === 'directory' ? row.wallet.id : row.info.id
}

/** Whether a press on the row opens the view. */
export function opensView(row: WalletListRow, view: View | undefined): boolean {
  if (row.kind === 'code') return view?.name === 'ConnectingWalletConnectBasic'
  if (row.kind !== 'here')
    return view !== undefined && 'walletId' in view && view.walletId === getRowKey(row)
  const opened =
    view?.name === 'ConnectNamespaces'
      ? view.connectorIds
      : view?.name === 'ConnectingExternal'
        ? [view.connectorId]
        : []
  return row.connectors.some(({ id }) => opened.includes(id))
}

/** The connector that reaches wallets by QR code or link; undefined if the app has disabled it. */
export const findPairingConnector = (
  connectors: readonly ConnectorInfo[],
): ConnectorInfo | undefined => connectors.find(({ traits }) => traits?.pairs)

/**
 * All connectors of the wallet that a connector belongs to; empty for a wallet that is no longer
 * available.
 */
export function findRowWallet(
  connectors: readonly ConnectorInfo[],
  connectorId: string | undefined,
): readonly ConnectorInfo[] {
  const local = groupByWallet(connectors.filter(isLocal))
  return local.find((group) => group.some(({ id }) => id === connectorId)) ?? []
}

/** The connectors of a directory wallet that is installed in this browser. */
export const findConnectors = (
  wallet: DirectoryWallet,
  connectors: readonly ConnectorInfo[],
): readonly ConnectorInfo[] =>
  connectors.filter((info) => isLocal(info) && isSameInstalledWallet(info, toIdentity(wallet)))

const isSame = (one: DirectoryWallet, other: DirectoryWallet) =>
  isSameInstalledWallet(toIdentity(one), toIdentity(other))

const toIdentity = ({ id, name, rdns }: Pick<DirectoryWallet, 'id' | 'name' | 'rdns'>) => ({
  name,
  walletId: id,
  ...(rdns && { rdns }),
})
