import {
  type Account,
  activeNetwork,
  type Connection,
  type ConnectorInfo,
  isConnected,
  type PeerWallet,
} from '@latchkey/core'
import type { CaipAddress, ChainId, Namespace } from '@latchkey/wire'
import { useMemo } from 'react'
import { useAppState } from '../app/useAppState.ts'

type UseAccount = {
  status: Connection['status']
  /** True while there is an account, also while its wallet is still being checked silently. */
  isConnected: boolean
  /** True while the wallet's server cannot be reached, so that the account is not confirmed. The app tries again by itself. */
  isUnreached: boolean
  address: string | undefined
  account: Account | undefined
  accounts: readonly Account[]
  chainId: ChainId | undefined
  caipAddress: CaipAddress | undefined
  connector: ConnectorInfo | undefined
  /** The wallet to show: the one behind a connector that reaches many, otherwise the connector's. */
  wallet: PeerWallet | undefined
}

/** The account of a namespace, by default the selected network's. */
export function useAccount({ namespace }: { namespace?: Namespace | undefined } = {}): UseAccount {
  const connection = useAppState(
    (state) => state.connections[namespace ?? activeNetwork(state).chainNamespace],
  )
  const connectors = useAppState((state) => state.connectors)
  return useMemo(() => describe(connection, connectors), [connection, connectors])
}

function describe(connection: Connection, connectors: readonly ConnectorInfo[]): UseAccount {
  const id = connection.status === 'disconnected' ? undefined : connection.connectorId
  const connector = connectors.find((info) => info.id === id)
  const held = isConnected(connection) ? connection : undefined
  return {
    status: connection.status,
    isConnected: held !== undefined,
    isUnreached: held?.isUnreached ?? false,
    address: held?.account.address,
    account: held?.account,
    accounts: held?.accounts ?? [],
    chainId: held?.chainId,
    caipAddress: held?.caipAddress,
    connector,
    wallet: held?.wallet ?? connector,
  }
}
