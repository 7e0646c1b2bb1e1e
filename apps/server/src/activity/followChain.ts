import { isError } from '@latchkey/wire'
import type { Logger } from 'pino'
import { backfill, newBackfillPace } from './backfill.ts'
import { createBell } from './bell.ts'
import { type Follower, followHead, refresh } from './followHead.ts'
import { releaseLease, Superseded, takeLease } from './lease.ts'
import { loadState } from './progress.ts'
import { newPaces } from './readRange.ts'

/** A chain that this process follows, or waits to follow, while somebody asks for its accounts. */
export type ChainFollower = {
  /** Somebody asks for an account of the chain, here or at another process: whoever follows it looks at once. */
  want(): void
  /** How far behind: milliseconds since all up to the newest block was there; undefined: another process knows. */
  lagMs(): number | undefined
  accountCount(): number
  stop(): Promise<void>
}

type Parameters = Pick<Follower, 'lease' | 'node' | 'limits' | 'clock' | 'counted'> & {
  readonly log: Logger
}

const watchedPollMs = 300
const settleMs = 100
const pollMs = 2_000
const refreshMs = 5_000
/** How often the holder says that it lives, and the others look whether it does. */
const renewMs = 700
const firstPauseMs = 500
const longestPauseMs = 30_000
const stopTimeoutMs = 1_500

/** Starts to sleep; the first `want` sets it to work. Never throws: what goes wrong is tried again, with growing pauses. */
export function followChain(parameters: Parameters): ChainFollower {
  const { lease, limits, clock, log } = parameters
  // The calm ones are for pauses after failures, which nobody's asking cuts short.
  const bells = {
    idle: createBell(),
    calm: createBell(),
    head: createBell(),
    calmHead: createBell(),
    backfill: createBell(),
    calmBackfill: createBell(),
    renew: createBell(),
  }
  let stopping = false
  let wantedUntilMs = 0
  let follower: Follower | undefined
  let seenAtMs = 0

  const run = async () => {
    const pause = growingPause()
    while (!stopping) {
      if (clock() > wantedUntilMs) {
        await bells.idle.sleep(Number.POSITIVE_INFINITY)
        continue
      }
      try {
        if (await takeLease(lease, 'unseen')) await hold()
        pause.reset()
        if (!stopping) await bells.idle.sleep(renewMs)
      } catch (error) {
        log.warn({ chain: lease.chainId, ...reasonOf(error) }, 'cannot follow the chain')
        await bells.calm.sleep(pause.next())
      }
    }
  }

  /** Until the lease is lost, or nobody is followed any more. */
  const hold = async () => {
    const state = await loadState(lease)
    const own: Follower = {
      ...parameters,
      state,
      paces: newPaces(),
      following: { accounts: new Map(), watched: false },
      shortSinceMs: undefined,
    }
    follower = own
    seenAtMs = clock()
    let held = true
    const release = () => {
      held = false
      for (const bell of Object.values(bells)) bell.ring()
    }
    const holding = () => held && !stopping
    // All have ended before anybody, this process too, follows the chain again.
    const ends = await Promise.allSettled([
      lead(own, holding).finally(release),
      fill(own, holding).finally(release),
      renew(holding).finally(release),
    ])
    follower = undefined
    await releaseLease(lease).catch(() => {})
    for (const end of ends)
      if (end.status === 'rejected' && !(end.reason instanceof Superseded)) throw end.reason
  }

  const lead = async (own: Follower, holding: () => boolean) => {
    const pause = growingPause()
    let refreshedAtMs = Number.NEGATIVE_INFINITY
    let asked = true
    while (holding()) {
      try {
        if (asked || clock() - refreshedAtMs > refreshMs) {
          await refresh(own)
          refreshedAtMs = clock()
          bells.backfill.ring()
          if (own.state.head !== undefined && own.following.accounts.size === 0) return
        }
        const generation = own.state.generation
        const look = await followHead(own)
        if (look === 'seen') seenAtMs = clock()
        if (own.state.generation !== generation) await refresh(own)
        if (look === 'more') bells.backfill.ring()
        pause.reset()
        const sleptFor = own.following.watched ? watchedPollMs : pollMs
        asked = look !== 'more' && (await bells.head.sleep(sleptFor))
        // However many ask, the nodes are asked a few times a second.
        if (asked) await bells.calmHead.sleep(settleMs)
      } catch (error) {
        if (error instanceof Superseded) throw error
        log.debug({ chain: lease.chainId, ...reasonOf(error) }, 'could not look at the chain')
        await bells.calmHead.sleep(pause.next())
      }
    }
  }

  const fill = async (own: Follower, holding: () => boolean) => {
    const pause = growingPause()
    const pace = newBackfillPace()
    while (holding()) {
      try {
        const came = await backfill(own, pace)
        pause.reset()
        if (came === 'done') await bells.backfill.sleep(Number.POSITIVE_INFINITY)
      } catch (error) {
        // The chain turned back meanwhile: that part is no longer to be done, or again.
        if (error instanceof Superseded && holding()) await bells.calmBackfill.sleep(firstPauseMs)
        else if (error instanceof Superseded) throw error
        else {
          log.debug({ chain: lease.chainId, ...reasonOf(error) }, 'could not look back')
          await bells.calmBackfill.sleep(pause.next())
        }
      }
    }
  }

  const renew = async (holding: () => boolean) => {
    while (holding()) {
      await bells.renew.sleep(renewMs)
      if (!holding()) return
      const seen = clock() - seenAtMs < 2 * pollMs ? 'seen' : 'unseen'
      if (!(await takeLease(lease, seen))) throw new Superseded()
    }
  }

  const running = run()
  return {
    want() {
      wantedUntilMs = clock() + limits.followSeconds * 1000
      bells.idle.ring()
      bells.head.ring()
    },
    lagMs: () => (follower === undefined ? undefined : clock() - seenAtMs),
    accountCount: () => follower?.following.accounts.size ?? 0,
    async stop() {
      stopping = true
      for (const bell of Object.values(bells)) bell.ring()
      let timer: ReturnType<typeof setTimeout> | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopTimeoutMs)
      })
      await Promise.race([running, patience])
      clearTimeout(timer)
    },
  }
}

function growingPause() {
  let nextMs = firstPauseMs
  return {
    next() {
      const pauseMs = nextMs
      nextMs = Math.min(longestPauseMs, nextMs * 2)
      return pauseMs
    },
    reset() {
      nextMs = firstPauseMs
    },
  }
}

const reasonOf = (error: unknown) => ({
  reason: isError(error) ? error.code : error instanceof Error ? error.message : 'unknown',
})
