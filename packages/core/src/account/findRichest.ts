import type { Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { withTimeout } from '../connection/connectors/withTimeout.ts'
import { activeNetwork, isConnected } from '../state.ts'
import { getPortfolio } from './getPortfolio.ts'

/** The user waits for the response. */
const waitMs = 1_500

/**
 * The namespace whose connected account is worth the most in dollars, on all networks of the app of
 * the same kind (real or test) as the selected network. Undefined if no account has a value, or the
 * server does not respond soon.
 */
export async function findRichest(
  app: App,
  { namespaces }: { namespaces: readonly Namespace[] },
): Promise<Namespace | undefined> {
  const state = app.store.getState()
  const isTest = !!activeNetwork(state).testnet
  const readValue = async (namespace: Namespace): Promise<number> => {
    const connection = state.connections[namespace]
    const networks = state.networks.filter(
      (one) => one.chainNamespace === namespace && !!one.testnet === isTest,
    )
    if (!isConnected(connection) || networks.length === 0) return 0
    const portfolio = await getPortfolio(app, {
      address: connection.account.address,
      chainIds: networks.map(({ caipNetworkId }) => caipNetworkId),
    }).catch(() => undefined)
    return portfolio?.balances.reduce((sum, { value = 0 }) => sum + value, 0) ?? 0
  }
  try {
    const read = () => Promise.all(namespaces.map(readValue))
    const values = await withTimeout(read, app.environment.sleep, waitMs)
    const most = Math.max(...values)
    return most > 0 ? namespaces[values.indexOf(most)] : undefined
  } catch {
    return undefined
  }
}
