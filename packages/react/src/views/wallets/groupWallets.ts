import { type ConnectorInfo, isSameInstalledWallet, type Network } from '@latchkey/core/internal'
import type { WalletConnection } from '../../hooks/connections/useConnections.ts'

/** A connected wallet with its connections, one for each namespace. */
export type ConnectedWallet = {
  name: string
  iconUrl: string | undefined
  /** The way to the wallet, if it is not in this browser: WalletConnect. */
  way: string | undefined
  connectorIds: readonly string[]
  connections: readonly [WalletConnection, ...WalletConnection[]]
}

/**
 * Groups connections by their wallet, in an order that a switch does not change. A wallet of this
 * browser may have a connector for each namespace.
 */
export function groupWallets(
  connections: readonly WalletConnection[],
  { connectors, networks }: { connectors: readonly ConnectorInfo[]; networks: readonly Network[] },
): readonly ConnectedWallet[] {
  const rankWallet = ({ connectorId }: WalletConnection) =>
    connectors.findIndex(({ id }) => id === connectorId)
  const rank = ({ namespace }: WalletConnection) =>
    networks.findIndex(({ chainNamespace }) => chainNamespace === namespace)
  const groups: [WalletConnection, ...WalletConnection[]][] = []
  const ordered = [...connections].sort(
    (one, other) => rankWallet(one) - rankWallet(other) || rank(one) - rank(other),
  )
  for (const connection of ordered) {
    const group = groups.find(([first]) => isSameWallet(first, connection))
    if (group) group.push(connection)
    else groups.push([connection])
  }
  return groups.map((group) => {
    const [{ wallet, connector, connectorId }] = group
    return {
      name: wallet?.name ?? connectorId,
      iconUrl: group.find((one) => one.wallet?.iconUrl)?.wallet?.iconUrl,
      way: connector?.traits?.pairs ? connector.name : undefined,
      connectorIds: [...new Set(group.map((one) => one.connectorId))],
      connections: group,
    }
  })
}

function isSameWallet(one: WalletConnection, other: WalletConnection): boolean {
  if (one.connectorId === other.connectorId) return true
  if (!isInstalled(one.connector) || !isInstalled(other.connector)) return false
  return isSameInstalledWallet(one.connector, other.connector)
}

/** Whether a connector reaches a wallet of this browser. */
const isInstalled = (info: ConnectorInfo | undefined): info is ConnectorInfo =>
  info !== undefined && !info.traits?.pairs && !info.traits?.hasLogin && !info.traits?.isExternal
