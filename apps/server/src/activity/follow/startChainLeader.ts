import { isError } from '@latchkey/wire'
import type { Logger } from 'pino'
import { getErrorMessage } from '../../getErrorMessage.ts'
import { isNodeFault } from '../nodes/askNode.ts'
import { createPaces } from '../nodes/readRange.ts'
import { notify } from '../pgNotify.ts'
import { backfill, createBackfillPace } from './backfill.ts'
import { createBackoff } from './backoff.ts'
import { createWeighPace, weighBalances } from './balances/weighBalances.ts'
import { loadState } from './chainState.ts'
import { createCrowdedAccounts } from './crowdedAccounts.ts'
import { followHead, type LeaderState, refreshFollowed } from './followHead.ts'
import { releaseLease, Superseded, takeLease } from './lease.ts'
import { retryUnread } from './retryUnread.ts'
import { sweepAccounts } from './sweepAccounts.ts'
import { createWakeableSleep } from './wakeableSleep.ts'

/** The leader of a chain, while this process has the lease. */
export type ChainLeader = {
  /** Polls the chain at once, because an account was requested. */
  look(): void
  stop(): void
  lagMs(): number
  accountCount(): number
  /**
   * Resolves when the lease is lost or no account is followed; rejects with an error after which
   * the state must be reloaded.
   */
  readonly ended: Promise<void>
}

export type ChainLeaderDeps = Pick<
  LeaderState,
  'lease' | 'node' | 'limits' | 'clock' | 'counters'
> & {
  readonly log: Logger
}

const watchedPollMs = 300
const settleMs = 100
const pollMs = 2_000
const refreshMs = 5_000
/** How often the leader renews its lease. */
const renewMs = 700
/** How often the leader retries unread blocks. */
const retryMs = 5_000
/** How often the leader compares balances with the rows. */
const weighMs = 5_000
const firstPauseMs = 500
/** One reads while another commits. */
const backfillLoops = 2

/**
 * Follows the head, runs the backfill and renews the lease, which was just taken, until any of
 * these ends.
 */
export function startChainLeader(parameters: ChainLeaderDeps): ChainLeader {
  const { lease, clock, log } = parameters
  const heldSinceMs = clock()
  // `calm` signals are for pauses after failures, which requests do not shorten.
  const signals = {
    head: createWakeableSleep(),
    calmHead: createWakeableSleep(),
    renew: createWakeableSleep(),
  }
  const createLoopSignals = () => ({ work: createWakeableSleep(), calm: createWakeableSleep() })
  const backfillSignals = Array.from({ length: backfillLoops }, createLoopSignals)
  const retrySignals = createLoopSignals()
  const weighSignals = createLoopSignals()
  let hasLease = true
  let seenAtMs: number | undefined
  let following: LeaderState | undefined

  const release = () => {
    hasLease = false
    for (const signal of Object.values(signals)) signal.wake()
    for (const { work, calm } of [...backfillSignals, retrySignals, weighSignals]) {
      work.wake()
      calm.wake()
    }
  }
  const fillMore = () => {
    for (const { work } of backfillSignals) work.wake()
  }

  const hold = async () => {
    const leader: LeaderState = {
      ...parameters,
      state: await loadState(lease),
      paces: createPaces(),
      crowded: createCrowdedAccounts(clock),
      following: { accounts: new Map(), watched: false },
      headFailures: 0,
      shortSinceMs: undefined,
    }
    following = leader
    const pace = createBackfillPace()
    const weighPace = createWeighPace()
    const loops = [
      lead(leader),
      renew(leader),
      ...backfillSignals.map((own) =>
        work(own, Number.POSITIVE_INFINITY, () => backfill(leader, pace)),
      ),
      work(retrySignals, retryMs, () => retryUnread(leader)),
      work(weighSignals, weighMs, () => weighBalances(leader, weighPace)),
    ]
    // All tasks have ended before any process, including this one, follows the chain again.
    const ends = await Promise.allSettled(loops.map((loop) => loop.finally(release)))
    for (const end of ends)
      if (end.status === 'rejected' && !(end.reason instanceof Superseded)) throw end.reason
  }

  const lead = async (leader: LeaderState) => {
    const pause = createBackoff()
    let refreshedAtMs = Number.NEGATIVE_INFINITY
    let isAsked = true
    const refreshAll = async () => {
      await refreshFollowed(leader)
      await sweepAccounts(lease)
      refreshedAtMs = clock()
      fillMore()
    }
    while (hasLease) {
      try {
        // Before the first poll, because blocks are read for the followed accounts.
        if (clock() - refreshedAtMs > refreshMs) await refreshAll()
        const { generation } = leader.state
        const look = await followHead(leader)
        // Notify the callers that wait for the newest block immediately.
        if (look === 'seen' && seenAtMs === undefined) signals.renew.wake()
        if (look === 'seen') seenAtMs = clock()
        // After polling, so that the work of new accounts includes every block up to the newest.
        if ((isAsked && look !== 'more') || leader.state.generation !== generation)
          await refreshAll()
        if (leader.state.head !== undefined && leader.following.accounts.size === 0) return
        pause.reset()
        if (look === 'more') {
          fillMore()
          continue
        }
        isAsked = await signals.head.sleep(leader.following.watched ? watchedPollMs : pollMs)
        // Poll the nodes only a few times a second, independent of the number of requests.
        if (isAsked) await signals.calmHead.sleep(settleMs)
      } catch (error) {
        // After a database error it is unknown whether the write was committed.
        if (!isNodeFault(error)) throw error
        log.debug({ chain: lease.chainId, ...describeError(error) }, 'could not poll the chain')
        await signals.calmHead.sleep(pause.next())
      }
    }
  }

  /**
   * Runs one step after the other. When nothing is left to do, waits for a wake-up, at most
   * `idleMs`.
   */
  const work = async (
    { work, calm }: ReturnType<typeof createLoopSignals>,
    idleMs: number,
    step: () => Promise<'done' | 'more'>,
  ) => {
    const pause = createBackoff()
    while (hasLease) {
      try {
        const came = await step()
        pause.reset()
        if (came === 'done') await work.sleep(idleMs)
      } catch (error) {
        // The chain was rolled back in the meantime: this range is obsolete or must be read again.
        if (error instanceof Superseded && hasLease) await calm.sleep(firstPauseMs)
        else if (!isNodeFault(error)) throw error
        else {
          log.debug(
            { chain: lease.chainId, ...describeError(error) },
            'a step of the backfill failed',
          )
          await calm.sleep(pause.next())
        }
      }
    }
  }

  const renew = async (leader: LeaderState) => {
    let before: 'seen' | 'unseen' = 'unseen'
    while (hasLease) {
      await signals.renew.sleep(renewMs)
      if (!hasLease) return
      const visibility =
        seenAtMs !== undefined && clock() - seenAtMs < 2 * pollMs ? 'seen' : 'unseen'
      if (!(await takeLease(lease, visibility))) throw new Superseded()
      // This alone makes accounts without remaining work complete again.
      if (visibility === 'seen' && before === 'unseen') await tellSync(leader)
      before = visibility
    }
  }

  const tellSync = ({ following }: LeaderState) =>
    notify(lease.db, { type: 'sync', chainId: lease.chainId }, following.accounts.keys())

  return {
    look: () => signals.head.wake(),
    stop: release,
    lagMs: () => clock() - (seenAtMs ?? heldSinceMs),
    accountCount: () => following?.following.accounts.size ?? 0,
    ended: hold().finally(() => releaseLease(lease).catch(() => {})),
  }
}

/** The fields that describe an error in a log. */
export const describeError = (error: unknown) => ({
  reason: isError(error) ? error.code : getErrorMessage(error),
})
