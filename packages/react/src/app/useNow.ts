import { useEffect, useState } from 'react'
import { useApp } from './useApp.ts'

/** Milliseconds between two readings of the clock. */
const EVERY_MS = 10_000

/** The time, in ms, as texts of an age need it. */
export function useNow(): number {
  const { now } = useApp().environment
  const [nowMs, setNowMs] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [now])
  return nowMs
}
