import { join } from 'node:path'
import type { Activity } from '../activity/activity.ts'
import { openPictures, type Pictures } from '../media/pictures.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
} from '../outbound/createConcurrencyLimit.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import type { Services } from '../services.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'

/** The dependencies of the NFTs area. */
export type Nfts = Pick<Services, 'db' | 'clock' | 'log' | 'config' | 'kv'> & {
  readonly upstreams: Upstreams
  readonly activity: Activity
  readonly outbound: Outbound
  readonly getListed: GetListedTokens
  readonly pictures: Pictures
  /** Pending reads of metadata in this process, by {@link nftKey}. */
  readonly pending: Map<string, Promise<void>>
  /** The limit of concurrent reads of metadata, by contract. */
  readonly concurrency: ConcurrencyLimit
}

/**
 * Limits by contract. Lower than the limit of outbound fetches, so that slow metadata does not
 * block other fetches.
 */
const limits = {
  ...{ total: 12, perKey: 3, perClient: 6, slow: 3 },
  ...{ waiting: 500, waitingInAll: 5_000, waitingPerClient: 1_000 },
}

export function createNfts(
  services: Pick<Services, 'db' | 'clock' | 'log' | 'config' | 'kv' | 'responseMemory'>,
  parts: Pick<Nfts, 'upstreams' | 'activity' | 'outbound' | 'getListed'>,
): Nfts {
  const { db, clock, log, config, kv, responseMemory } = services
  return {
    ...{ db, clock, log, config, kv },
    ...parts,
    pictures: openPictures({ dir: join(config.dataDir, 'nft-pictures'), clock, responseMemory }),
    pending: new Map(),
    concurrency: createConcurrencyLimit(limits),
  }
}
