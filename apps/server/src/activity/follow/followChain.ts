import { createBackoff } from './backoff.ts'
import { describeError, type LeadChain, type LeadParameters, leadChain } from './leadChain.ts'
import { takeLease } from './lease.ts'
import { createWakeableSleep } from './wakeableSleep.ts'

/** A chain that this process follows, or waits to follow, while somebody asks for its accounts. */
export type ChainFollower = {
  /** Somebody asks for an account of the chain, here or at another process: whoever follows it looks at once. */
  want(): void
  /** How far behind: milliseconds since all up to the newest block was there; undefined: another process knows. */
  lagMs(): number | undefined
  accountCount(): number
  stop(): Promise<void>
}

/** How often those who do not hold the chain look whether somebody does. */
const lookMs = 700
const stopTimeoutMs = 1_500

/** Starts to sleep; the first `want` sets it to work. Never throws: what goes wrong is tried again, with growing pauses. */
export function followChain(parameters: LeadParameters): ChainFollower {
  const { lease, limits, clock, log } = parameters
  // The calm one is for pauses after failures, which nobody's asking cuts short.
  const bells = { idle: createWakeableSleep(), calm: createWakeableSleep() }
  let stopping = false
  let wantedUntilMs = 0
  let hold: LeadChain | undefined

  const tryToHold = async () => {
    if (!(await takeLease(lease, 'unseen'))) return
    hold = leadChain(parameters)
    if (stopping) hold.stop()
    await hold.ended
  }

  const run = async () => {
    const pause = createBackoff()
    while (!stopping) {
      if (clock() > wantedUntilMs) {
        await bells.idle.sleep(Number.POSITIVE_INFINITY)
        continue
      }
      try {
        await tryToHold()
        pause.reset()
        if (!stopping) await bells.idle.sleep(lookMs)
      } catch (error) {
        log.warn({ chain: lease.chainId, ...describeError(error) }, 'cannot follow the chain')
        if (!stopping) await bells.calm.sleep(pause.next())
      } finally {
        hold = undefined
      }
    }
  }

  const running = run()
  return {
    want() {
      wantedUntilMs = clock() + limits.followSeconds * 1000
      bells.idle.wake()
      hold?.look()
    },
    lagMs: () => hold?.lagMs(),
    accountCount: () => hold?.accountCount() ?? 0,
    async stop() {
      stopping = true
      hold?.stop()
      for (const bell of Object.values(bells)) bell.wake()
      let timer: ReturnType<typeof setTimeout> | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopTimeoutMs)
      })
      await Promise.race([running, patience])
      clearTimeout(timer)
    },
  }
}
