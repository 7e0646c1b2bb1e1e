import { toError } from '@latchkey/wire'

/** Runs an action's work: what it throws always is a LatchkeyError. */
export async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toError(error)
  }
}
