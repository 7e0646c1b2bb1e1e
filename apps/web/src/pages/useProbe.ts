import { useEffect, useEffectEvent, useState } from 'react'

export type Probe<Value> =
  | { status: 'checking' }
  | { status: 'live'; value: Value }
  | { status: 'unreachable' }

/** Probes at once, and then repeatedly while the page is visible. */
export function useProbe<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  everyMs: number,
): Probe<Value> {
  const [probe, setProbe] = useState<Probe<Value>>({ status: 'checking' })
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const look = () => {
      if (document.hidden) return
      askNow(signal).then(
        (value) => signal.aborted || setProbe({ status: 'live', value }),
        () => signal.aborted || setProbe({ status: 'unreachable' }),
      )
    }
    look()
    const timer = setInterval(look, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      controller.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [everyMs])
  return probe
}
