import { type ChainId, parseChainId } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'
import { getRpcClient } from '../network/getRpcClient.ts'

/** Whether the network calls a transaction's block final; false where its nodes do not say. Throws the node's errors. */
export const isFinal = (
  app: App,
  { hash, chainId }: { hash: string; chainId: ChainId },
): Promise<boolean> =>
  attempt(async () => {
    const chain = await app.chain(parseChainId(chainId).namespace)
    return chain.isFinal({ node: getRpcClient(app, chainId), hash })
  })
