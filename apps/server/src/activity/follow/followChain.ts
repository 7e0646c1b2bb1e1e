import { createBackoff } from './backoff.ts'
import { takeLease } from './lease.ts'
import {
  type ChainLeader,
  type ChainLeaderDeps,
  describeError,
  startChainLeader,
} from './startChainLeader.ts'
import { createWakeableSleep } from './wakeableSleep.ts'

/** A chain that this process follows, or waits to follow, while its accounts are requested. */
export type ChainFollower = {
  /**
   * Records that an account of the chain was requested, in this or another process, so that the
   * leader polls at once.
   */
  request(): void
  /**
   * The lag: milliseconds since everything up to the newest block was indexed; undefined if another
   * process leads.
   */
  lagMs(): number | undefined
  accountCount(): number
  stop(): Promise<void>
}

/** How often a process without the lease checks whether it is free. */
const lookMs = 700
const stopTimeoutMs = 1_500

/**
 * Starts asleep; the first `request` wakes it. Never throws: failures are retried with growing
 * pauses.
 */
export function followChain(parameters: ChainLeaderDeps): ChainFollower {
  const { lease, limits, clock, log } = parameters
  // `calm` is for pauses after failures, which requests do not shorten.
  const signals = { idle: createWakeableSleep(), calm: createWakeableSleep() }
  let stopping = false
  let wantedUntilMs = 0
  let hold: ChainLeader | undefined

  const tryToHold = async () => {
    if (!(await takeLease(lease, 'unseen'))) return
    hold = startChainLeader(parameters)
    if (stopping) hold.stop()
    await hold.ended
  }

  const run = async () => {
    const pause = createBackoff()
    while (!stopping) {
      if (clock() > wantedUntilMs) {
        await signals.idle.sleep(Number.POSITIVE_INFINITY)
        continue
      }
      try {
        await tryToHold()
        pause.reset()
        if (!stopping) await signals.idle.sleep(lookMs)
      } catch (error) {
        log.warn({ chain: lease.chainId, ...describeError(error) }, 'cannot follow the chain')
        if (!stopping) await signals.calm.sleep(pause.next())
      } finally {
        hold = undefined
      }
    }
  }

  const running = run()
  return {
    request() {
      wantedUntilMs = clock() + limits.followSeconds * 1000
      signals.idle.wake()
      hold?.look()
    },
    lagMs: () => hold?.lagMs(),
    accountCount: () => hold?.accountCount() ?? 0,
    async stop() {
      stopping = true
      hold?.stop()
      for (const signal of Object.values(signals)) signal.wake()
      let timer: ReturnType<typeof setTimeout> | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopTimeoutMs)
      })
      await Promise.race([running, patience])
      clearTimeout(timer)
    },
  }
}
