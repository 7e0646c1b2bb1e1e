import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './startChild.ts'

const pauseMs = 15

/**
 * Waits until `isReady` returns true. If the process exits before that or takes longer than
 * `timeoutMs`, ends it and throws with its last output.
 */
export async function untilReady(parameters: {
  child: Child
  isReady: () => Promise<boolean>
  timeoutMs: number
}): Promise<void> {
  const { child, isReady, timeoutMs } = parameters
  const deadlineMs = Date.now() + timeoutMs
  const exited = child.exited.then((exit): never => {
    throw new Error(`${child.name} ended before it was ready:\n${exit.tail}`)
  })
  exited.catch(() => undefined)
  try {
    while (!(await Promise.race([isReady(), exited]))) {
      if (Date.now() > deadlineMs) {
        throw new Error(`${child.name} was not ready within ${timeoutMs / 1000} s`)
      }
      await Promise.race([sleep(pauseMs), exited])
    }
  } catch (error) {
    await child.stop()
    throw error
  }
}
