import { useEffect, useState } from 'react'

/** Whole seconds until `atMs` by this page's clock, 0 after that. */
export function useCountdown(atMs: number): number {
  const getSecondsLeft = () => Math.max(0, Math.ceil((atMs - Date.now()) / 1_000))
  const [seconds, setSeconds] = useState(getSecondsLeft)
  useEffect(() => {
    const getSecondsLeft = () => Math.max(0, Math.ceil((atMs - Date.now()) / 1_000))
    setSeconds(getSecondsLeft())
    const timer = setInterval(() => {
      setSeconds(getSecondsLeft())
      if (getSecondsLeft() === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [atMs])
  return seconds
}
