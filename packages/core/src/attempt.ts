import { toError } from '@latchkey/wire'

/** Runs an action and turns anything it throws into a LatchkeyError. */
export async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toError(error)
  }
}
