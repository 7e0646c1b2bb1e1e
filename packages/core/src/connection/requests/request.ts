import type { ChainId } from '@latchkey/wire'
import { LatchkeyError, parseChainId } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { attempt } from '../../attempt.ts'
import { namespaceMetadata } from '../../namespaces/namespaceMetadata.ts'
import { activeNetwork, isConnected } from '../../state.ts'
import { waitForWallet } from '../waitForWallet.ts'

/**
 * Sends a request of the chain's own protocol (EIP-1193 on EVM) to the wallet that is connected in
 * the namespace of `chainId`, or of the selected network. Requests that the namespace has reviewed
 * are shown first. Throws NOT_CONNECTED, INVALID_PARAMS, USER_REJECTED and the wallet's errors.
 */
export const request = (
  app: App,
  parameters: { method: string; params?: readonly unknown[] | object; chainId?: ChainId },
): Promise<unknown> =>
  attempt(async () => {
    const { method, params, chainId } = parameters
    const wanted = chainId ?? activeNetwork(app.store.getState()).caipNetworkId
    const wantedNamespace = parseChainId(wanted).namespace
    const search = waitForWallet(app, wantedNamespace)
    if (search) await search
    const connection = app.store.getState().connections[wantedNamespace]
    if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
    const connector = app.connectors.get(connection.connectorId)
    if (!connector) throw new LatchkeyError('NOT_CONNECTED')
    const asked = { chainId: chainId ?? connection.chainId, method, params }
    const { namespace } = parseChainId(asked.chainId)
    const facts = namespaceMetadata[namespace]
    if (facts.checked?.includes(method))
      (await facts.loadRequestHandlers?.())?.checks?.[method]?.(params)
    if (method === facts.showsCalls) {
      const [id] = Array.isArray(params) ? (params as unknown[]) : []
      if (typeof id !== 'string')
        throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'the id is missing' } })
      const { showCallsStatus } = await import('../../send/calls.ts')
      await showCallsStatus(app, { id, namespace })
      return null
    }
    const ask = () => connector.request(asked.chainId, method, params)
    if (!facts.reviewed?.methods.includes(method)) return ask()
    const { reviewWalletRequest } = await import('./reviewRequest.ts')
    return reviewWalletRequest(app, { request: asked, connection, connector, ask })
  })
