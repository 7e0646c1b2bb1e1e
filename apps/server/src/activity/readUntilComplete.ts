import type { ChainId, HistorySync } from '@latchkey/wire'
import type { Activity } from './activity.ts'
import { createWakeableSleep } from './follow/wakeableSleep.ts'

type Params<Answer> = {
  readonly activity: Pick<Activity, 'listen'>
  readonly address: `0x${string}`
  readonly chainIds: readonly ChainId[]
  readonly patienceMs: number
  read(): Promise<Answer>
  isKnown(answer: Answer): boolean
}

/** How long the first requests for an account wait until it is indexed. */
export const defaultPatienceMs = 1_500

/**
 * Reads until the result is complete: again whenever the account changes, and a last time when the
 * time is up.
 */
export async function readUntilComplete<Answer>(params: Params<Answer>): Promise<Answer> {
  const { activity, address, chainIds, patienceMs, read, isKnown } = params
  const signal = createWakeableSleep()
  let isLate = false
  // Before reading, so that an event in the meantime is not missed.
  const offs = chainIds.map((chainId) =>
    activity.listen({ chainId, address }, () => signal.wake(), 'quiet'),
  )
  const timer = setTimeout(() => {
    isLate = true
    signal.wake()
  }, patienceMs)
  try {
    for (;;) {
      const isLast = isLate
      const answer = await read()
      if (isLast || isKnown(answer)) return answer
      await signal.sleep(Number.POSITIVE_INFINITY)
    }
  } finally {
    clearTimeout(timer)
    for (const off of offs) off()
  }
}

/** Whether waiting longer cannot help: everything is indexed, or some blocks cannot be read. */
export const isSearched = ({ complete, unread }: HistorySync): boolean =>
  complete || unread !== undefined
