import { type Area, type AreaState, type ChainId, parseChainId } from '@latchkey/wire'
import type { App } from './app.ts'
import type { WalletCapability } from './namespaces/facts.ts'
import { namespaceFacts } from './namespaces/namespaceFacts.ts'
import { isConnected } from './state.ts'

/** What can be offered on a network now. */
export type Capabilities = Readonly<
  Record<
    | WalletCapability
    /** Show an address to be paid at. */
    | 'receive'
    /** Show what an account holds. */
    | 'balances'
    /** List past transactions. */
    | 'history'
    /** Be told of new transactions. */
    | 'activity'
    | 'nfts'
    /** Look up the name of an address and the address of a name. */
    | 'names'
    /** Change the e-mail address and the keys of an account that a person logs in to. */
    | 'accountSettings',
    boolean
  >
>

/**
 * Combines what the app enables, what the namespace can, what the connected wallet has approved, and what the server has.
 * `areas` is the server's part, from `getAreas`. While it is not known, nothing is denied because of it, except in namespaces
 * whose networks usually have no node.
 */
export function getCapabilities(
  app: App,
  { chainId, areas }: { chainId: ChainId; areas?: Partial<Record<Area, AreaState>> | undefined },
): Capabilities {
  const { features } = app.config
  const { namespace } = parseChainId(chainId)
  const connection = app.store.getState().connections[namespace]
  const connector = isConnected(connection) ? app.connectors.get(connection.connectorId) : undefined
  const approvedMethods = connector?.approvedMethods?.(chainId)
  const canWallet = (capability: WalletCapability) => {
    const methods = namespaceFacts[namespace].can[capability]
    if (!methods || !approvedMethods || methods.length === 0) return methods !== undefined
    return methods.some((method) => approvedMethods.includes(method))
  }
  const { hasNode = false } = namespaceFacts[namespace]
  const hasArea = (area: Area) => (areas === undefined ? hasNode : areas[area]?.on === true)
  return {
    send: features.send && canWallet('send'),
    signMessage: canWallet('signMessage'),
    signTypedData: canWallet('signTypedData'),
    switchNetwork: canWallet('switchNetwork'),
    receive: features.receive,
    balances: hasNode || hasArea('balance'),
    history: features.history && hasArea('activity'),
    activity: hasArea('activity'),
    nfts: namespaceFacts[namespace].hasNfts === true && hasArea('nfts'),
    names: hasArea('identity'),
    accountSettings: connector?.info.traits?.hasLogin === true,
  }
}
