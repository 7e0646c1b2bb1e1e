import {
  type Account,
  activeNetwork,
  type Connection,
  type ConnectorInfo,
  isConnected,
  type PeerWallet,
  type User,
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
  /** Who is logged in: e-mail address, user name and social provider, as far as they are known. Only for the embedded wallet. */
  user: User | undefined
  /** Whether the smart account is deployed on the network; undefined if its wallet has not said so. */
  smartAccountDeployed: boolean | undefined
  /** The use of each address of a wallet with several, by address: `ordinals` for inscriptions. */
  addressLabels: Readonly<Record<string, string>>
}

/** The account of a namespace, by default the selected network's. */
export function useAccount({ namespace }: { namespace?: Namespace | undefined } = {}): UseAccount {
  const connection = useAppState(
    (state) => state.connections[namespace ?? activeNetwork(state).chainNamespace],
  )
  const connectors = useAppState((state) => state.connectors)
  const user = useAppState((state) => state.user)
  return useMemo(() => describe({ connection, connectors, user }), [connection, connectors, user])
}

function describe({
  connection,
  connectors,
  user,
}: {
  connection: Connection
  connectors: readonly ConnectorInfo[]
  user: User | undefined
}): UseAccount {
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
    user: connector?.traits?.hasLogin ? user : undefined,
    smartAccountDeployed: held?.account.deployed?.[held.chainId],
    addressLabels: Object.fromEntries(
      held?.accounts.flatMap(({ address, label }) => (label ? [[address, label]] : [])) ?? [],
    ),
  }
}
