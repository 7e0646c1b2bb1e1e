import {
  type Area,
  type AreaState,
  type ChainId,
  type Namespace,
  parseChainId,
} from '@latchkey/wire'
import type { App } from './app.ts'
import type { WalletCapability } from './namespaces/metadata.ts'
import { namespaceMetadata } from './namespaces/namespaceMetadata.ts'
import { hasOwnRpcUrl } from './network/rpcUrls.ts'
import { isConnected } from './state.ts'

/** The features available on a network now. */
export type Capabilities = Readonly<
  Record<
    | WalletCapability
    /** Show an address to be paid at. */
    | 'receive'
    /** Show an account's assets. */
    | 'balances'
    /** List past transactions. */
    | 'history'
    /** Get notice of new transactions. */
    | 'activity'
    | 'nfts'
    /** List the permissions that the account has granted to the app. */
    | 'sessions'
    /** List the account's allowances. */
    | 'allowances'
    /** Look up the name of an address and the address of a name. */
    | 'names'
    /** Register a name for the account. */
    | 'registerName'
    /** Exchange a token for another. */
    | 'swap'
    /** Get test money, on a network whose money is worth nothing. */
    | 'faucet'
    /** Buy crypto. */
    | 'onramp'
    /** Change the email address and the keys of an account with a login. */
    | 'accountSettings',
    boolean
  >
>

/**
 * Combines the features that the app enables, the namespace's capabilities, the methods approved by
 * the connected wallet, and the server's areas. `areas` comes from `getAreas`. While it is unknown,
 * nothing is denied because of it, except in namespaces whose networks usually have no node.
 */
export function getCapabilities(
  app: App,
  { chainId, areas }: { chainId: ChainId; areas?: Partial<Record<Area, AreaState>> | undefined },
): Capabilities {
  const { features } = app.config
  const { namespace } = parseChainId(chainId)
  const canWallet = (capability: WalletCapability) => canAskWallet(app, { chainId, capability })
  const canHaveNode = namespaceMetadata[namespace].node !== undefined
  // A server without any area for a network has no node for it either.
  const isServed = areas === undefined || Object.keys(areas).length > 0
  const hasNode = canHaveNode && (isServed || hasOwnRpcUrl(app, chainId))
  const hasArea = (area: Area) => (areas === undefined ? canHaveNode : areas[area]?.on === true)
  return {
    send: features.send && canWallet('send') && hasNode,
    signMessage: canWallet('signMessage'),
    signTypedData: canWallet('signTypedData'),
    switchNetwork: canWallet('switchNetwork'),
    receive: features.receive,
    balances: hasNode || hasArea('balance'),
    history: features.history && hasArea('activity'),
    activity: hasArea('activity'),
    nfts: namespaceMetadata[namespace].hasNfts === true && hasArea('nfts'),
    allowances: areas?.allowances?.on === true,
    sessions: features.smartSessions && areas?.sessions?.on === true,
    names: hasArea('identity'),
    registerName: areas?.names?.on === true && canWallet('signMessage'),
    swap:
      features.swaps &&
      areas?.swap?.on === true &&
      areas.swap.kind === checkedSwaps &&
      canWallet('send') &&
      findSwapContracts(app, chainId) !== undefined,
    faucet: areas?.faucet?.on === true,
    onramp: features.onramp && areas?.onramp?.on === true,
    accountSettings: getConnector(app, namespace)?.info.traits?.hasLogin === true,
  }
}

/** The kind of transactions that `checkSwap` can read; it refuses all others. */
const checkedSwaps = 'uniswap'

/**
 * The app's own swap contracts on a network. The server's answer alone is not enough, because it
 * could name any contract.
 */
const findSwapContracts = (app: App, chainId: ChainId) =>
  app.store.getState().networks.find(({ caipNetworkId }) => caipNetworkId === chainId)?.swap

/**
 * Whether the namespace has a capability and the wallet connected in it, if any, has approved a
 * method for it.
 */
export function canAskWallet(
  app: App,
  { chainId, capability }: { chainId: ChainId; capability: WalletCapability },
): boolean {
  const { namespace } = parseChainId(chainId)
  const approvedMethods = getConnector(app, namespace)?.approvedMethods?.(chainId)
  const methods = namespaceMetadata[namespace].can[capability]
  if (!methods || !approvedMethods || methods.length === 0) return methods !== undefined
  return methods.some((method) => approvedMethods.includes(method))
}

function getConnector(app: App, namespace: Namespace) {
  const connection = app.store.getState().connections[namespace]
  return isConnected(connection) ? app.connectors.get(connection.connectorId) : undefined
}
