import { useEffect, useState } from 'react'
import { useApp } from './useApp.ts'

/** Whole seconds until a moment, rounded up; 0 once it has passed. */
export function useSecondsUntil(atMs: number): number {
  const { now } = useApp().environment
  const secondsLeft = () => Math.max(0, Math.ceil((atMs - now()) / 1000))
  const [, setTick] = useState(0)
  const seconds = secondsLeft()
  const isRunning = seconds > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setTick((tick) => tick + 1), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  return seconds
}
