import { type ChainId, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getAction } from '../namespaces/actions.ts'
import { getRpcClient } from '../network/getRpcClient.ts'
import { openNodeSocket } from '../network/openNodeSocket.ts'

/** Resolves once a transaction is in a block. Throws ABORTED and the node's errors. */
export const waitForTransaction = (
  app: App,
  parameters: { hash: string; chainId: ChainId; signal?: AbortSignal },
): Promise<{ status: 'success' | 'reverted' }> =>
  attempt(async () => {
    const { hash, chainId } = parameters
    const actions = await app.loadActions(parseChainId(chainId).namespace)
    const signal = parameters.signal ? AbortSignal.any([app.signal, parameters.signal]) : app.signal
    const { sleep } = app.environment
    const wait = getAction(actions, 'waitForTransaction')
    const node = getRpcClient(app, chainId)
    const openSocket = () => openNodeSocket(app, chainId)
    return wait({ node, openSocket, hash, signal, sleep })
  })

/** Whether the network calls a transaction's block final; false where its nodes do not say. Throws the node's errors. */
export const isFinal = (
  app: App,
  { hash, chainId }: { hash: string; chainId: ChainId },
): Promise<boolean> =>
  attempt(async () => {
    const actions = await app.loadActions(parseChainId(chainId).namespace)
    return getAction(actions, 'isFinal')({ node: getRpcClient(app, chainId), hash })
  })
