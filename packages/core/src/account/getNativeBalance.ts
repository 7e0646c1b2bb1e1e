import { type ChainId, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getAction } from '../namespaces/actions.ts'
import { getRpcClient } from '../network/getRpcClient.ts'
import { readOnce } from '../server/readOnce.ts'
import { mayReplace, trimCache } from '../server/trimCache.ts'

/** Milliseconds a native balance is good for. */
export const nativeBalanceLifetimeMs = 30_000

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
    const saved = app.storage.get('nativeBalances')?.[id]
    const ageMs = app.environment.now() - (saved?.atMs ?? Number.NEGATIVE_INFINITY)
    const isFresh = ageMs >= 0 && ageMs < nativeBalanceLifetimeMs
    if (saved && isFresh && !parameters.forceUpdate && /^\d+$/.test(saved.wei))
      return show(app, id, BigInt(saved.wei))
    const work = async () => {
      const begunAtMs = app.environment.now()
      const actions = await app.loadActions(parseChainId(chainId).namespace)
      const wei = await getAction(actions, 'balance')({ node: getRpcClient(app, chainId), address })
      const entries = app.storage.get('nativeBalances') ?? {}
      if (!mayReplace(entries[id], { begunAtMs, nowMs: app.environment.now() })) return wei
      const entry = { atMs: begunAtMs, wei: wei.toString() }
      app.storage.set('nativeBalances', trimCache({ ...entries, [id]: entry }))
      return show(app, id, wei)
    }
    // A forced read must not share the answer of an earlier read.
    const key = `${parameters.forceUpdate ? 'forced ' : ''}native ${id}`
    return readOnce(app, { key, work, signal })
  })

/** Writes a balance into the state, so that every place that shows it follows. */
function show(app: App, id: string, wei: bigint): bigint {
  const { nativeBalances } = app.store.getState()
  if (nativeBalances[id] !== wei)
    app.store.setState({ nativeBalances: { ...nativeBalances, [id]: wei } })
  return wei
}
