import { useCallback, useEffect, useEffectEvent, useState } from 'react'

/** Milliseconds after which a wallet that does not answer gets a hint. */
const SLOW_AFTER_MS = 8_000

type Attempt = { status: 'waiting'; isSlow: boolean } | { status: 'failed'; error: unknown }

/** Asks a wallet as soon as the view stands, and again on `retry`; leaving the view calls it off. */
export function useAttempt(
  run: (signal: AbortSignal) => Promise<void>,
  { slowAfterMs = SLOW_AFTER_MS }: { slowAfterMs?: number } = {},
): Attempt & { retry: () => void } {
  const [turn, setTurn] = useState(0)
  const [attempt, setAttempt] = useState<Attempt>({ status: 'waiting', isSlow: false })
  const start = useEffectEvent(run)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn is one asking
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    // Strict mode mounts twice; a wallet must be asked once.
    const begin = setTimeout(() => {
      start(signal).catch(
        (error: unknown) => signal.aborted || setAttempt({ status: 'failed', error }),
      )
    })
    const slow = setTimeout(() => {
      setAttempt((now) => (now.status === 'waiting' ? { status: 'waiting', isSlow: true } : now))
    }, slowAfterMs)
    return () => {
      clearTimeout(begin)
      clearTimeout(slow)
      controller.abort()
    }
  }, [turn, slowAfterMs])

  const retry = useCallback(() => {
    setAttempt({ status: 'waiting', isSlow: false })
    setTurn((number) => number + 1)
  }, [])
  return { ...attempt, retry }
}
