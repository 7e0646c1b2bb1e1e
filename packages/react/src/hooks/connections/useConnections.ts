import {
  type Account,
  type Connected,
  type ConnectorInfo,
  isConnected,
  listConnections,
  type PeerWallet,
} from '@latchkey/core/internal'
import type { CaipAddress, ChainId, Namespace } from '@latchkey/wire'
import { useMemo } from 'react'
import { useAppState } from '../../app/useAppState.ts'

/** A connected wallet in a namespace. */
export type WalletConnection = {
  connectorId: string
  namespace: Namespace
  /** `reconnecting` until the wallet has confirmed its accounts, after a reload. */
  status: Connected['status']
  /** Whether the actions of its namespace use it. */
  isInUse: boolean
  /** Whether its wallet could not be reached. */
  isUnreached: boolean
  address: string
  account: Account
  accounts: Connected['accounts']
  /** The CAIP-2 id of the wallet's network. */
  chainId: ChainId
  /** CAIP-10. */
  caipAddress: CaipAddress
  /** Undefined if its wallet has not announced itself. */
  connector: ConnectorInfo | undefined
  /** The name and the icon to show, as far as they are known. */
  wallet: PeerWallet | undefined
}

/**
 * All connected wallets: those in use, one for each namespace, then the others, the latest used
 * first.
 */
export function useConnections(): readonly WalletConnection[] {
  const connections = useAppState((state) => state.connections)
  const furtherConnections = useAppState((state) => state.furtherConnections)
  const connectors = useAppState((state) => state.connectors)
  const recentWallets = useAppState((state) => state.recentWallets)
  return useMemo(
    () =>
      listConnections({ connections, furtherConnections }).map((connection) => {
        const { connectorId, status, account, accounts, chainId, caipAddress } = connection
        const { namespace, address } = account
        const current = connections[namespace]
        const connector = connectors.find(({ id }) => id === connectorId)
        const recent = recentWallets.find(({ id }) => id === connectorId)
        return {
          ...{ connectorId, namespace, status, address, account, accounts, chainId, caipAddress },
          isInUse: isConnected(current) && current.connectorId === connectorId,
          isUnreached: connection.isUnreached ?? false,
          connector,
          wallet: connection.wallet ?? connector ?? recent,
        }
      }),
    [connections, furtherConnections, connectors, recentWallets],
  )
}
