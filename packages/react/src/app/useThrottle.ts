import { isError } from '@latchkey/wire'
import { useMemo } from 'react'
import { useApp } from './useApp.ts'
import { useSecondsUntil } from './useSecondsUntil.ts'

/** The whole seconds until the server allows another sign-in, 0 if `error` is no such limit. */
export function useThrottle(error: unknown): number {
  const { now } = useApp().environment
  const untilMs = useMemo(
    () => (isError(error, 'LOGIN_THROTTLED') ? now() + Number(error.data.seconds) * 1000 : 0),
    [error, now],
  )
  return useSecondsUntil(untilMs)
}
