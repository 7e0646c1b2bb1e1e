/**
 * A sleep for loops that can be ended early. A wake-up outside of a sleep ends the next sleep at
 * once. `sleep` resolves to whether it was woken.
 */
export type WakeableSleep = { wake(): void; sleep(ms: number): Promise<boolean> }

/** The sleep of one loop. A sleep of `Infinity` ends only by a wake-up. */
export function createWakeableSleep(): WakeableSleep {
  let rung = false
  let wake: (() => void) | undefined
  return {
    wake() {
      rung = true
      wake?.()
    },
    async sleep(ms) {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      const wasRung = rung
      rung = false
      wake = undefined
      return wasRung
    },
  }
}
