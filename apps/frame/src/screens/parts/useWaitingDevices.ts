import { listEnrollmentsRoute } from '@latchkey/wire'
import { useCallback, useEffect, useState } from 'react'
import type { LoginSession } from '../../auth/loginSession.ts'
import type { WaitingDevice } from '../EnrollmentRequest.tsx'
import { getErrorMessage } from '../getErrorMessage.ts'

const pollMs = 3_000

/**
 * The devices that wait to be approved, and the message of the last failure, or an empty string.
 */
type WaitingDevices = {
  readonly asks: readonly WaitingDevice[]
  readonly failure: string
  /** Queries the server now. */
  readonly load: () => Promise<void>
}

/**
 * Polls the server every three seconds for devices that wait to be approved. `loadMore` runs in
 * parallel with each call, and both results are shown at once, so that the page grows only once; it
 * must keep its identity between renders.
 */
export function useWaitingDevices(
  session: LoginSession,
  loadMore?: () => Promise<() => void>,
): WaitingDevices {
  const [asks, setAsks] = useState<readonly WaitingDevice[]>([])
  const [failure, setFailure] = useState('')
  const load = useCallback(async () => {
    try {
      const [waiting, showMore] = await Promise.all([
        session.call(listEnrollmentsRoute, {}),
        loadMore?.(),
      ])
      showMore?.()
      setAsks(waiting.asks)
      setFailure('')
    } catch (error) {
      setFailure(getErrorMessage(error))
    }
  }, [session, loadMore])
  useEffect(() => {
    void load()
    const timer = setInterval(load, pollMs)
    return () => clearInterval(timer)
  }, [load])
  return { asks, failure, load }
}
