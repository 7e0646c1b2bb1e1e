/** Lets a loop sleep and be woken. A ring while nobody sleeps ends the next sleep at once; `sleep` tells if it was woken. */
export type WakeableSleep = { wake(): void; sleep(ms: number): Promise<boolean> }

/** A bell of one loop. A sleep of `Infinity` ends by a ring alone. */
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
      const woken = rung
      rung = false
      wake = undefined
      return woken
    },
  }
}
