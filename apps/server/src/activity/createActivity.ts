import { randomUUID } from 'node:crypto'
import type { ChainId } from '@latchkey/wire'
import type { ChainConfig } from '../config/chainsFile.ts'
import { isEvmChain } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import { getWrappedNative } from '../evm/wrappedNative.ts'
import { getErrorMessage } from '../getErrorMessage.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { getNativeDust } from '../tokens/spam.ts'
import type { Activity, Asker, FollowedAccount } from './activity.ts'
import { createActivityMetrics } from './activityMetrics.ts'
import { type ChainFollower, followChain } from './follow/followChain.ts'
import { readRequestedChains } from './follow/followedAccounts.ts'
import { type AskerShare, noteRequests } from './follow/noteRequests.ts'
import { createListeners } from './listeners.ts'
import { createPgNotify, notify } from './pgNotify.ts'
import { readApprovals } from './query/readApprovals.ts'
import { readNfts, readTokens } from './query/readAssets.ts'
import { readChanges } from './query/readChanges.ts'
import { readPage } from './query/readPage.ts'
import { readSync } from './query/readSync.ts'

/** Limits for tests and small machines. */
export type ActivityOptions = {
  /** An account is no longer followed after this time without a request. */
  readonly followSeconds?: number
  /** Accounts followed on a chain at one time. */
  readonly maxAccounts?: number
  readonly share?: AskerShare
}

type ActivityServices = Pick<Services, 'db' | 'config' | 'clock' | 'log' | 'metrics' | 'health'> & {
  /** The same database with longer timeouts, for background work. */
  readonly background: Services['db']
  /** The URL of the same database: notices of other processes arrive on a separate connection. */
  readonly databaseUrl: string
}

/** How many blocks of a chain are searched if its configuration does not say. */
const defaultDepth = 200_000
/**
 * How long a request for an account is not stored again, because the account is already in the
 * database.
 */
const askAgainMs = 60_000
const maxRemembered = 20_000

/** The lag from which `/ready` reports an index. */
const stuckMs = 600_000

/**
 * The activity of accounts on chains that are indexed from their own nodes. Does nothing until an
 * account is requested.
 */
export function createActivity(
  services: ActivityServices,
  upstreams: Upstreams,
  { followSeconds = 1_800, maxAccounts = 10_000, share }: ActivityOptions = {},
): Activity {
  const { db, background, config, clock, log, metrics, health } = services
  const holder = randomUUID()
  const followers = new Map<ChainId, ChainFollower>()
  const counters = createActivityMetrics(metrics.registry, followers)
  for (const [id, chain] of Object.entries(config.chains)) {
    if (!isEvmChain(id) || (chain.activity?.source ?? 'rpc') !== 'rpc') continue
    const chainId = id as ChainId
    const follower = followChain({
      lease: { db: background, chainId, holder },
      node: {
        upstreams,
        chainId,
        wrappedNative: getWrappedNative(chain),
        traces: chain.activity?.traces,
      },
      limits: {
        followSeconds,
        maxAccounts: maxAccounts,
        firstBlock: (head) => getFirstBlock(chain, head),
        dustWei: getNativeDust(chain.nativeCurrency),
      },
      clock,
      log,
      counters: {
        rows: (count) => counters.rows.inc({ chain: chainId }, count),
        reorgs: () => counters.reorgs.inc({ chain: chainId }),
      },
    })
    followers.set(chainId, follower)
  }
  health.add('index', () => describeLag(followers))
  const ask = async (
    accounts: readonly FollowedAccount[],
    by: { readonly watched: 'watched' | 'once'; readonly asker?: Asker | undefined },
  ) => {
    if (accounts.length === 0) return
    await noteRequests(db, accounts, { ...by, share })
    for (const [chainId, { address }] of new Map(accounts.map((one) => [one.chainId, one]))) {
      followers.get(chainId)?.request()
      await notify(db, { type: 'asked', chainId }, [address])
    }
  }
  const listeners = createListeners({
    ask: (accounts, asker) => ask(accounts, { watched: 'watched', asker }),
    log,
  })
  const notices = createPgNotify({
    databaseUrl: services.databaseUrl,
    log,
    onNotice({ type, chainId, address }) {
      if (type === 'asked') followers.get(chainId as ChainId)?.request()
      else listeners.notify(chainId, address, type)
    },
    missed() {
      listeners.notifyAll()
      void resume()
    },
  })
  /** Resumes accounts that were requested while this process missed notifications. */
  const resume = async () => {
    try {
      for (const chainId of await readRequestedChains(background, { followSeconds }))
        followers.get(chainId as ChainId)?.request()
    } catch (error) {
      const reason = getErrorMessage(error)
      log.warn({ reason }, 'could not read the followed accounts')
    }
  }
  const opening = followers.size === 0 ? undefined : notices.open().then(resume)
  const askedAtMs = new Map<string, number>()
  const remember = (key: string) => {
    if (askedAtMs.size >= maxRemembered) askedAtMs.clear()
    askedAtMs.set(key, clock())
  }
  return {
    async follow(requested, asker) {
      const account = toLowerCaseAccount(requested)
      if (!followers.has(account.chainId)) return
      const key = [account.chainId, account.address, asker?.address, asker?.network].join(' ')
      if (clock() - (askedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < askAgainMs) return
      await ask([account], { watched: 'once', asker })
      remember(key)
    },
    page: (parameters) => readPage(db, { ...parameters, address: lowerCase(parameters.address) }),
    sync: async (account) =>
      followers.has(account.chainId)
        ? readSync(db, toLowerCaseAccount(account))
        : { complete: true, progress: 1, since: null },
    readChanges: (account, range) => readChanges(db, toLowerCaseAccount(account), range),
    readTokens: (account, limit) => readTokens(db, toLowerCaseAccount(account), limit),
    readNfts: (account, range) => readNfts(db, toLowerCaseAccount(account), range),
    readApprovals: (account, range) => readApprovals(db, toLowerCaseAccount(account), range),
    listen(account, listener, by) {
      if (!followers.has(account.chainId)) return () => {}
      return listeners.add(toLowerCaseAccount(account), listener, by)
    },
    async stop() {
      listeners.stop()
      await opening
      await Promise.all([...followers.values()].map((follower) => follower.stop()))
      await notices.close()
    },
  }
}

function getFirstBlock({ activity }: ChainConfig, head: number): number {
  if (activity?.fromBlock !== undefined) return Math.min(activity.fromBlock, head + 1)
  return Math.max(0, head - (activity?.depth ?? defaultDepth))
}

const lowerCase = (address: Hex) => address.toLowerCase() as Hex

const toLowerCaseAccount = ({ chainId, address }: FollowedAccount): FollowedAccount => ({
  chainId,
  address: lowerCase(address),
})

/**
 * A description of the networks whose index is far behind; undefined if the index of each is up to
 * date.
 */
function describeLag(followers: ReadonlyMap<ChainId, ChainFollower>): string | undefined {
  const behind = [...followers].flatMap(([chain, follower]) => {
    const lagMs = follower.lagMs() ?? 0
    return lagMs > stuckMs ? [`${chain} is ${Math.floor(lagMs / 60_000)} minutes behind`] : []
  })
  return behind.length > 0 ? behind.join('; ') : undefined
}
