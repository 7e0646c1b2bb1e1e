import { useEffect, useRef, useState } from 'react'

const countMs = 200

/**
 * Counts from the value before to the latest value, for the eye only. Returns the number to draw.
 * That is the value itself if nothing has changed or the user wants no motion.
 */
export function useCount(value: number): number {
  const [drawn, setDrawn] = useState(value)
  const latest = useRef(value)
  useEffect(() => {
    const from = latest.current
    if (from === value) return
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const startMs = performance.now()
    let frame = 0
    const step = (nowMs: number) => {
      const part = isStill ? 1 : Math.min(1, Math.max(0, (nowMs - startMs) / countMs))
      latest.current = part === 1 ? value : from + (value - from) * part
      setDrawn(latest.current)
      if (part < 1) frame = requestAnimationFrame(step)
    }
    step(startMs)
    return () => cancelAnimationFrame(frame)
  }, [value])
  return drawn
}
