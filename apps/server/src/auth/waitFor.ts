import { createFairRoom, type FairRoom } from '../shares/createFairRoom.ts'

const waitMs = 20_000
const askEveryMs = 500

/** Creates the room for requests that wait. Each of them reads the database twice a second. */
export const createWaits = (): FairRoom => createFairRoom({ total: 512, perClient: 32 })

type Waiting = {
  readonly stopping: AbortSignal
  readonly waits: FairRoom
  /** The address of the client. */
  readonly address: string
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal
}

/**
 * Calls `look` twice a second until it returns a value, at most for 20 s. Returns undefined after
 * that, or earlier if too many requests wait. Clients then repeat the request.
 */
export async function waitFor<Found>(
  { stopping, waits, address, signal }: Waiting,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const evicted = new AbortController()
  const ending = AbortSignal.any([signal, stopping, evicted.signal])
  const endsAt = performance.now() + waitMs
  const place = waits.enter(address, () => evicted.abort())
  try {
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      if (ending.aborted || performance.now() >= endsAt) return undefined
      await pause(ending)
    }
  } finally {
    place.leave()
  }
}

/** Waits for half a second, or until `ending`. */
const pause = (ending: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      ending.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, askEveryMs)
    ending.addEventListener('abort', done)
  })
