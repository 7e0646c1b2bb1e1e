import type { ChainId, Namespace } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { type Connected, isConnected, listConnections, type State } from '../../state.ts'
import { maxFurtherConnections, type SavedConnection } from '../../storageSchema.ts'
import { connected } from '../buildConnection.ts'
import type { ConnectResult } from '../connectors/connector.ts'

/** A wallet in a namespace, in which it has at most one connection. */
export type WalletNamespace = { connectorId: string; namespace: Namespace }

export const getWalletNamespace = ({ connectorId, account }: Connected): WalletNamespace => ({
  connectorId,
  namespace: account.namespace,
})

type Placed = { connectorId: string; chainId: ChainId }

const isAt =
  ({ connectorId, namespace }: WalletNamespace) =>
  (one: Placed) =>
    one.connectorId === connectorId && one.chainId.startsWith(`${namespace}:`)

/** The connection of a wallet in a namespace, in use or not. */
export const findConnection = (state: State, place: WalletNamespace): Connected | undefined =>
  listConnections(state).find(isAt(place))

/** Whether a wallet is in use in a namespace. */
export function isInUse(
  { connections }: State,
  { connectorId, namespace }: WalletNamespace,
): boolean {
  const connection = connections[namespace]
  return isConnected(connection) && connection.connectorId === connectorId
}

/** Whether a connection is saved as connected but not in use. */
export const isSavedFurther = ({ storage }: App, place: WalletNamespace): boolean =>
  storage.get('furtherConnections')?.some(isAt(place)) === true

/**
 * Replaces a connection that is put in use by the former, which stays connected. Above the limit,
 * drops the connection not used longest.
 */
export function exchange<One extends Placed>(
  all: readonly One[],
  { place, former }: { place: WalletNamespace; former: One | undefined },
): readonly One[] {
  const others = all.filter((one) => !isAt(place)(one))
  if (!former) return others.length === all.length ? all : others
  const isFormer = isAt({ connectorId: former.connectorId, namespace: place.namespace })
  return [former, ...others.filter((one) => !isFormer(one))].slice(0, maxFurtherConnections)
}

/**
 * Adds a connection to those that are not in use. Above the limit, drops the connection not used
 * longest.
 */
export function keepFurther(app: App, former: Connected): void {
  const place = getWalletNamespace(former)
  app.store.setState(({ furtherConnections: all }) => ({
    furtherConnections: exchange(all, { place, former }),
  }))
  saveExchange(app, { place, former })
}

/** Saves an {@link exchange}, if it changes the saved list. */
export function saveExchange(
  app: App,
  { place, former }: { place: WalletNamespace; former: Connected | undefined },
): void {
  if (former || isSavedFurther(app, place))
    save(app, (all) => exchange(all, { place, former: former && toSaved(former) }))
}

const toSaved = ({ connectorId, chainId, accounts, wallet }: Connected): SavedConnection => ({
  connectorId,
  chainId,
  accounts,
  ...(wallet && { wallet }),
})

/** Removes a connection from those that are not in use; does nothing if it is not among them. */
export function dropFurther(app: App, place: WalletNamespace): void {
  const remove = <One extends Placed>(all: readonly One[]) => all.filter((one) => !isAt(place)(one))
  if (app.store.getState().furtherConnections.some(isAt(place)))
    app.store.setState(({ furtherConnections: all }) => ({ furtherConnections: remove(all) }))
  if (isSavedFurther(app, place)) save(app, remove)
}

/** Writes a wallet's accounts or network into its connection, which is not in use. */
export function setFurther(
  app: App,
  { connectorId, result }: { connectorId: string; result: ConnectResult },
): void {
  const connection = connected({ status: 'connected', connectorId, result })
  const place = getWalletNamespace(connection)
  if (!app.store.getState().furtherConnections.some(isAt(place))) return
  app.store.setState(({ furtherConnections: all }) => ({
    furtherConnections: all.map((one) => (isAt(place)(one) ? connection : one)),
  }))
  const { accounts, chainId } = result
  save(app, (all) => all.map((one) => (isAt(place)(one) ? { ...one, accounts, chainId } : one)))
}

/** Marks a connection whose wallet could not be reached. */
export const markUnreached = (app: App, place: WalletNamespace): void =>
  app.store.setState(({ furtherConnections: all }) => ({
    furtherConnections: all.map((one) =>
      isAt(place)(one) ? { ...one, status: 'reconnecting', isUnreached: true } : one,
    ),
  }))

/** Changes the saved list, which may have what another tab has just saved. */
const save = (
  { storage }: App,
  change: (all: readonly SavedConnection[]) => readonly SavedConnection[],
): void => storage.set('furtherConnections', [...change(storage.get('furtherConnections') ?? [])])
