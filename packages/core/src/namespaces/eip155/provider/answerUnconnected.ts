import { evmReadMethods, LatchkeyError } from '@latchkey/wire'
import type { App } from '../../../app.ts'
import { openModal } from '../../../modal/modal.ts'
import { getRpcClient } from '../../../network/getRpcClient.ts'
import { checkPermissionsRequest, toPermissions } from './accountPermissions.ts'
import { getAddresses, getProviderConnection, getProviderNetwork } from './providerState.ts'

const reads: readonly string[] = [...evmReadMethods, 'net_version', 'web3_clientVersion']

/**
 * Handles a provider's request while no wallet is connected. Throws USER_REJECTED if the modal is
 * closed without a connection, NOT_CONNECTED for requests that need a wallet, and the errors of the
 * node.
 */
export async function answerUnconnected(
  app: App,
  { method, params }: { method: string; params?: readonly unknown[] | object | undefined },
): Promise<unknown> {
  if (method === 'eth_requestAccounts') return requestAccounts(app)
  if (method === 'wallet_getPermissions') return toPermissions([])
  if (method === 'wallet_requestPermissions') {
    checkPermissionsRequest(params)
    return toPermissions(await requestAccounts(app))
  }
  const network = getProviderNetwork(app.store.getState())
  if (!network || !reads.includes(method)) throw new LatchkeyError('NOT_CONNECTED')
  return getRpcClient(app, network.caipNetworkId)(method, params as readonly unknown[] | undefined)
}

/**
 * Opens the modal and waits for a wallet; returns its accounts. Throws USER_REJECTED if the modal
 * is closed without a connection.
 */
export function requestAccounts(app: App): Promise<string[]> {
  const { store } = app
  if (!store.getState().modal.open) openModal(app, { view: { name: 'Connect' } })
  return new Promise((resolve, reject) => {
    const look = () => {
      const state = store.getState()
      const connection = getProviderConnection(state)
      if (!connection && state.modal.open) return
      stop()
      if (connection) resolve(getAddresses(connection))
      else reject(new LatchkeyError('USER_REJECTED'))
    }
    const stop = store.subscribe(look)
    look()
  })
}
