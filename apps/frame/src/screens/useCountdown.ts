import { useEffect, useState } from 'react'

/** Whole seconds until `atMs` by this page's clock, 0 once it has come. */
export function useCountdown(atMs: number): number {
  const left = () => Math.max(0, Math.ceil((atMs - Date.now()) / 1_000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const left = () => Math.max(0, Math.ceil((atMs - Date.now()) / 1_000))
    setSeconds(left())
    const timer = setInterval(() => {
      setSeconds(left())
      if (left() === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [atMs])
  return seconds
}
