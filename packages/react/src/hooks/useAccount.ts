import {
  type Account,
  type AddressOf,
  activeNetwork,
  type Connection,
  type ConnectorInfo,
  isConnected,
  type PeerWallet,
  type RegisteredNetworks,
  type User,
} from '@latchkey/core'
import type { CaipAddress, ChainId, Namespace } from '@latchkey/wire'
import { useMemo } from 'react'
import { useAppState } from '../app/useAppState.ts'

/**
 * The fields that depend on `status`: with an account, while its wallet is checked silently too,
 * and without.
 */
type ConnectedAccount<Address extends string> =
  | {
      status: 'connected' | 'reconnecting'
      isConnected: true
      address: Address
      account: Account
      accounts: readonly [Account, ...Account[]]
      /** The CAIP-2 id of the wallet's network. */
      chainId: ChainId
      /** CAIP-10. */
      caipAddress: CaipAddress
    }
  | {
      status: 'disconnected' | 'connecting'
      isConnected: false
      address: undefined
      account: undefined
      accounts: readonly []
      chainId: undefined
      caipAddress: undefined
    }

/** The connection of an account. `status` and `isConnected` narrow the other fields. */
export type UseAccount<Address extends string = string> = ConnectedAccount<Address> & {
  /**
   * True while the wallet's server cannot be reached, so that the account is not confirmed. The app
   * retries automatically.
   */
  isUnreached: boolean
  connector: ConnectorInfo | undefined
  /**
   * The wallet to show: the wallet behind a connector for many wallets, otherwise the connector's.
   */
  wallet: PeerWallet | undefined
  /**
   * The user's email address, name and social provider, as far as they are known. Only for the
   * embedded wallet.
   */
  user: User | undefined
  /**
   * Whether the smart account is deployed on the network; undefined if its wallet has not reported
   * it.
   */
  smartAccountDeployed: boolean | undefined
  /** The use of each address of a wallet with several, by address: `ordinals` for inscriptions. */
  addressLabels: Readonly<Record<string, string>>
}

/**
 * The account of a namespace, by default the selected network's namespace. The address is a
 * `0x${string}` for `eip155`, and if all networks of the registered config are EVM networks.
 */
export function useAccount<Of extends Namespace>(options: {
  namespace: Of
}): UseAccount<AddressOf<Of>>
export function useAccount(options?: {
  namespace?: Namespace | undefined
}): UseAccount<AddressOf<RegisteredNetworks[number]['chainNamespace']>>
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
  const own = { connector, user: connector?.traits?.hasLogin ? user : undefined }
  if (!isConnected(connection))
    return {
      ...own,
      ...{ status: connection.status, isConnected: false, isUnreached: false, accounts: [] },
      ...{ address: undefined, account: undefined, chainId: undefined, caipAddress: undefined },
      ...{ wallet: connector, smartAccountDeployed: undefined, addressLabels: {} },
    }
  const { status, account, accounts, chainId, caipAddress, wallet } = connection
  return {
    ...own,
    ...{ status, isConnected: true, isUnreached: connection.isUnreached ?? false },
    ...{ address: account.address, account, accounts, chainId, caipAddress },
    wallet: wallet ?? connector,
    smartAccountDeployed: account.deployed?.[chainId],
    addressLabels: Object.fromEntries(
      accounts.flatMap(({ address, label }) => (label ? [[address, label]] : [])),
    ),
  }
}
