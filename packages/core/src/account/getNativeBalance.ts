import { type ChainId, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getAction } from '../namespaces/actions.ts'
import { getRpcClient } from '../network/getRpcClient.ts'
import { dedupeRead } from '../server/dedupeRead.ts'
import { getSavedResponse, saveResponse } from '../server/savedResponses.ts'

/** How long a native balance is valid. */
const nativeBalanceLifetimeMs = 30_000

/** Native balance in the smallest unit, from the node; at most 30 s old unless `forceUpdate`. */
export const getNativeBalance = (
  app: App,
  parameters: {
    address: string
    chainId: ChainId
    forceUpdate?: boolean
    signal?: AbortSignal | undefined
  },
): Promise<bigint> =>
  attempt(async () => {
    const { address, chainId, signal } = parameters
    const id = `${chainId}:${address}`
    const place = { cache: 'nativeBalances', id } as const
    const saved = parameters.forceUpdate
      ? undefined
      : getSavedResponse(app, { ...place, lifetimeMs: nativeBalanceLifetimeMs })
    const wei = String(saved?.wei)
    if (/^\d+$/.test(wei)) return show(app, id, BigInt(wei))
    const work = async () => {
      const atMs = app.environment.now()
      const actions = await app.loadActions(parseChainId(chainId).namespace)
      const wei = await getAction(actions, 'balance')({ node: getRpcClient(app, chainId), address })
      if (!saveResponse(app, { ...place, answer: { atMs, wei: wei.toString() } })) return wei
      return show(app, id, wei)
    }
    // A forced read must not share the answer of an earlier read.
    const key = `${parameters.forceUpdate ? 'forced ' : ''}native ${id}`
    return dedupeRead(app, { key, work, signal })
  })

/** Writes a balance into the state, so that every place that shows it follows. */
function show(app: App, id: string, wei: bigint): bigint {
  const { nativeBalances } = app.store.getState()
  if (nativeBalances[id] !== wei)
    app.store.setState({ nativeBalances: { ...nativeBalances, [id]: wei } })
  return wei
}
