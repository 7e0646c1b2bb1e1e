import { type ChainId, parseChainId } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'
import { getRpcClient } from '../network/getRpcClient.ts'

/** Resolves once a transaction is in a block. Throws ABORTED and the node's errors. */
export const waitForTransaction = (
  app: App,
  parameters: { hash: string; chainId: ChainId; signal?: AbortSignal },
): Promise<{ status: 'success' | 'reverted' }> =>
  attempt(async () => {
    const { hash, chainId } = parameters
    const chain = await app.chain(parseChainId(chainId).namespace)
    const signal = parameters.signal ? AbortSignal.any([app.signal, parameters.signal]) : app.signal
    const { sleep } = app.environment
    return chain.waitForTransaction({ node: getRpcClient(app, chainId), hash, signal, sleep })
  })
