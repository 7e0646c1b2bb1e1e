import type { ChainId } from '@latchkey/wire'
import type { Activity } from '../../activity/activity.ts'
import type { Upstreams } from '../../rpc/upstreams.ts'
import type { Services } from '../../services.ts'
import type { HistorySource, SourceOf } from './historySource.ts'
import { indexSource } from './indexSource.ts'

type Params = { readonly upstreams: Upstreams; readonly activity: Activity }

/** The source that each chain's `activity.source` names: the server's own index where it says nothing. */
export function openSources({ config }: Pick<Services, 'config'>, { activity }: Params): SourceOf {
  const index = indexSource(activity)
  const sources = new Map<string, HistorySource>()
  for (const [id, chain] of Object.entries(config.chains)) {
    if (!id.startsWith('eip155:')) continue
    if ((chain.activity?.source ?? 'rpc') === 'rpc') sources.set(id, index)
  }
  return (chainId: ChainId) => sources.get(chainId)
}
