import { isError, LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getCapabilities } from '../capabilities.ts'
import { beginAttempt } from '../connection/connectionAttempt.ts'
import { setConnection } from '../connection/setConnection.ts'
import { waitForReconnect, waitForWallet } from '../connection/waitForWallet.ts'
import { showAlert } from '../modal/showError.ts'
import type { RegisteredChainId } from '../register.ts'
import { isConnected } from '../state.ts'
import { getWalletRpcUrl } from './rpcUrls.ts'
import { selectNetwork } from './selectNetwork.ts'

/**
 * Selects a network. Requests a connected wallet to switch to it, and to add it if the wallet does
 * not support it. Throws NETWORK_NOT_FOUND (also an alert), USER_REJECTED, REQUEST_PENDING,
 * CHAIN_NOT_SUPPORTED, CONNECTION_CHANGED if the wallet was changed meanwhile, ABORTED if a later
 * switch superseded it.
 */
export const switchNetwork = (
  app: App,
  parameters: { chainId: RegisteredChainId },
): Promise<void> =>
  attempt(async () => {
    const { chainId } = parameters
    const { networks } = app.store.getState()
    const network = networks.find((entry) => entry.caipNetworkId === chainId)
    if (!network) {
      const error = new LatchkeyError('NETWORK_NOT_FOUND')
      showAlert(app, error)
      throw error
    }
    const namespace = network.chainNamespace
    const search = waitForWallet(app, namespace)
    if (search) await search
    const connection = app.store.getState().connections[namespace]
    if (!isConnected(connection) || connection.chainId === chainId)
      return selectNetwork(app, chainId)
    const connector = app.connectors.get(connection.connectorId)
    if (!connector) throw new LatchkeyError('CONNECTOR_NOT_FOUND')
    const actions = await app.loadActions(namespace)
    if (!actions.switchTo || !getCapabilities(app, { chainId }).switchNetwork)
      throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
    const { switches } = app.runtime
    switches.started += 1
    const switchNumber = switches.started
    try {
      await actions.switchTo({
        wallet: (method, params) => connector.request(connection.chainId, method, params),
        network,
        rpcUrl: getWalletRpcUrl(app, network),
        selectChain: async (id) => connector.selectChain?.(id),
      })
    } catch (error) {
      const { status } = app.store.getState().connections[namespace]
      if (status === 'reconnecting' && isError(error, 'CHAIN_NOT_SUPPORTED')) {
        // A wallet that is still being queried for its methods does not report its networks yet.
        await waitForReconnect(app, namespace)
        if (switchNumber < switches.started) throw new LatchkeyError('ABORTED')
        return switchNetwork(app, parameters)
      }
      // The wallet is on the network of the later switch.
      const isOvertaken = switchNumber < switches.started && isError(error, 'CHAIN_NOT_SUPPORTED')
      throw isOvertaken ? new LatchkeyError('ABORTED', { cause: error }) : error
    }
    if (switchNumber < switches.done) throw new LatchkeyError('ABORTED')
    const now = app.store.getState().connections[namespace]
    if (!isConnected(now) || now.connectorId !== connection.connectorId)
      throw new LatchkeyError('CONNECTION_CHANGED')
    switches.done = switchNumber
    // Earlier reads of the wallet are older than this.
    if (now.status === 'connected') beginAttempt(app, namespace)
    setConnection(app, {
      connectorId: now.connectorId,
      result: { accounts: now.accounts, chainId, ...(now.wallet && { wallet: now.wallet }) },
    })
  })
