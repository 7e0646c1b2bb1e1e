import { useApp } from '@latchkey/react'
import { useEffect, useSyncExternalStore } from 'react'
import { followPresses } from './followPresses.ts'
import { getNoticesStatus, type NoticesStatus, subscribeNotices } from './noticesState.ts'

/** Whether notices are on in this browser, or why they cannot be. */
export const useNoticesStatus = (): NoticesStatus =>
  useSyncExternalStore(subscribeNotices, getNoticesStatus)

/** Shows notices while they are on and the page is open, and opens what the user presses. */
export function useNotices(): void {
  const app = useApp()
  const isOn = useNoticesStatus() === 'on'
  useEffect(() => followPresses(app), [app])
  useEffect(() => {
    if (!isOn) return
    const controller = new AbortController()
    const { signal } = controller
    import('./followNotices.ts')
      .then(({ followNotices }) => followNotices(app, { signal }))
      // Without its code there are no notices until the next load.
      .catch(() => {})
    return () => controller.abort()
  }, [app, isOn])
}
