import type { ChainId } from '@latchkey/wire'
import type { Activity } from '../../activity/activity.ts'
import type { ChainConfig } from '../../config/chainsFile.ts'
import { isEvmChain } from '../../evm/chain.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'
import type { Services } from '../../services.ts'
import { blockscoutLists } from './blockscout.ts'
import { etherscanLists } from './etherscan.ts'
import type { RequestLimits } from './getJson.ts'
import type { GetHistorySource, HistorySource } from './historySource.ts'
import { outsideSource } from './outsideSource.ts'
import { readTransactions } from './readTransactions.ts'

type HistorySourcesDeps = Pick<Services, 'config' | 'log' | 'responseMemory'>
type Params = {
  readonly upstreams: Upstreams
  readonly activity: Activity
  readonly limits?: RequestLimits
}

const defaultLimits: RequestLimits = {
  timeoutMs: 8_000,
  maxBytes: 8 * 1024 * 1024,
  retries: 2,
  pauseMs: 250,
}
const defaultUrls = { etherscan: 'https://api.etherscan.io/v2/api', blockscout: undefined }

/**
 * The source in each chain's `activity.source`. Default: the server's own index. Undefined if
 * activity is off, or for a Blockscout without `activity.url`.
 */
export function openHistorySources(services: HistorySourcesDeps, params: Params): GetHistorySource {
  const index = indexSource(params.activity)
  const sources = new Map<string, HistorySource>()
  for (const [id, chain] of Object.entries(services.config.chains)) {
    if (!isEvmChain(id)) continue
    const outside = openOutside(services, params, { chainId: id as ChainId, chain })
    if (outside !== undefined) sources.set(id, outside)
    else if ((chain.activity?.source ?? 'rpc') === 'rpc') sources.set(id, index)
  }
  return (chainId: ChainId) => sources.get(chainId)
}

function openOutside(
  { log, responseMemory }: HistorySourcesDeps,
  { upstreams, limits = defaultLimits }: Params,
  { chainId, chain }: { readonly chainId: ChainId; readonly chain: ChainConfig },
): HistorySource | undefined {
  const { source, apiKey } = chain.activity ?? {}
  if (source !== 'etherscan' && source !== 'blockscout') return undefined
  const url = chain.activity?.url ?? defaultUrls[source]
  if (url === undefined) return undefined
  const lists = source === 'etherscan' ? etherscanLists : blockscoutLists
  return outsideSource({
    chainId,
    lists: lists({ chainId, url, apiKey, limits, log, responseMemory }),
    readFacts: (hashes) => readTransactions(upstreams, chainId, hashes),
  })
}

/**
 * The server's own index as a source; requesting a page makes the index follow the account from
 * then on.
 */
const indexSource = (activity: Activity): HistorySource => ({
  async page({ chainId, address, after, limit, asker }) {
    await activity.follow({ chainId, address }, asker)
    return activity.page({ address, chainIds: [chainId], after, limit })
  },
  sync: (account) => activity.sync(account),
})
