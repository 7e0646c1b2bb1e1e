import { type ChainId, LatchkeyError, parseChainId } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { goBack, showView } from '../../modal/navigate.ts'
import type { View } from '../../modal/views.ts'
import { namespaceMetadata } from '../../namespaces/namespaceMetadata.ts'
import type { ChainRequest } from '../../namespaces/requestHandlers.ts'
import { getRpcClient } from '../../network/getRpcClient.ts'
import { type Connected, isConnected } from '../../state.ts'
import type { Connector } from '../connectors/connector.ts'

/**
 * Shows a request of the page in the modal and sends it to the wallet only after approval there, in
 * the same click. Throws an error for an invalid request, UNSUPPORTED_METHOD if the wallet has not
 * approved it, and REQUEST_PENDING while another is shown. Also throws USER_REJECTED when the user
 * leaves the view, CONNECTION_CHANGED if the account changes meanwhile, and the wallet's errors.
 */
export async function reviewWalletRequest(
  app: App,
  parameters: {
    request: ChainRequest
    connection: Connected
    connector: Connector
    ask: () => Promise<unknown>
  },
): Promise<unknown> {
  const { request, connection, connector, ask } = parameters
  const { chainId, method } = request
  const network = app.store.getState().networks.find((one) => one.caipNetworkId === chainId)
  if (!network) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
  if (connector.approvedMethods?.(chainId)?.includes(method) === false)
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const read = await namespaceMetadata[parseChainId(chainId).namespace].reviewed?.load()
  if (!read) throw new LatchkeyError('INTERNAL')
  const { accounts } = connection
  const node = getRpcClient(app, chainId)
  const { finish } = read({ request, accounts, network, node, sleep: app.environment.sleep })
  return showReview(app, { chainId, read: finish, ask, connection })
}

/**
 * Shows the content to sign and sends the request to the wallet after approval. A deceptive request
 * is not shown. Throws REQUEST_PENDING while another is shown, and the other errors of {@link
 * reviewWalletRequest}.
 */
export async function showReview(
  app: App,
  parameters: {
    chainId: ChainId
    /** Reads the request. Called only once it is certain that the request will be shown. */
    read: () => Reading
    /** Default: the connection of the chain's namespace. */
    connection?: Connected
    ask: () => Promise<unknown>
  },
): Promise<unknown> {
  const { chainId, read, ask } = parameters
  const { modal, connections } = app.store.getState()
  const connection = parameters.connection ?? connections[parseChainId(chainId).namespace]
  if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
  if (modal.history.some(({ name }) => name === 'ReviewTransaction'))
    throw new LatchkeyError('REQUEST_PENDING')
  const reading = read()
  const shown = show(app, { reading, connection, chainId })
  try {
    await Promise.race([shown.approved, reading.then(() => shown.approved)])
    return await ask()
  } finally {
    shown.leave()
  }
}

type Reading = Extract<View, { name: 'ReviewTransaction' }>['reading']

/**
 * Shows the view. `approved` rejects as soon as the user leaves the view or the account changes.
 */
function show(
  app: App,
  parameters: {
    reading: Reading
    connection: Connected
    chainId: ChainRequest['chainId']
  },
) {
  const { reading, connection, chainId } = parameters
  let leave = () => {}
  const approved = new Promise<void>((resolve, reject) => {
    const view: View = { name: 'ReviewTransaction', reading, approve: resolve }
    const isShown = () => app.store.getState().modal.history.at(-1) === view
    const isSame = () => {
      const now = app.store.getState().connections[parseChainId(chainId).namespace]
      return (
        isConnected(now) &&
        now.caipAddress === connection.caipAddress &&
        now.connectorId === connection.connectorId
      )
    }
    const check = () => {
      if (app.signal.aborted) reject(new LatchkeyError('ABORTED'))
      else if (!isSame()) reject(new LatchkeyError('CONNECTION_CHANGED'))
      else if (!isShown()) reject(new LatchkeyError('USER_REJECTED'))
    }
    showView(app, view)
    const stop = app.store.subscribe(check)
    app.signal.addEventListener('abort', check)
    leave = () => {
      stop()
      app.signal.removeEventListener('abort', check)
      if (isShown()) goBack(app)
    }
    check()
  })
  return { approved, leave }
}
