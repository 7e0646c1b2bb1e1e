import type { WalletRequest } from '@latchkey/core'
import { useEffect, useRef, useState } from 'react'
import { useLatestCallback } from '../../app/useLatestCallback.ts'

/** How long a wallet has to respond before a hint is shown. */
const SLOW_AFTER_MS = 8_000

type Attempt = { status: 'waiting'; isSlow: boolean } | { status: 'failed'; error: unknown }

type Options<Result> = {
  /** The request that was already sent in the click that led here. */
  request?: WalletRequest | undefined
  /** Called with the answer, unless the user has left the view. */
  done?: (answer: Result) => void
  slowAfterMs?: number
}

/**
 * Sends a wallet's request when the view mounts, and again within the click of `retry`; leaving the
 * view cancels it.
 */
export function useWalletPrompt<Result>(
  ask: (signal: AbortSignal) => Promise<Result>,
  { request, done, slowAfterMs = SLOW_AFTER_MS }: Options<Result> = {},
): Attempt & { retry: () => void } {
  const [attempt, setAttempt] = useState<Attempt>({ status: 'waiting', isSlow: false })
  const leave = useRef<() => void>(undefined)

  const begin = (
    answer: Promise<unknown>,
    controller: Pick<AbortController, 'abort' | 'signal'>,
  ) => {
    leave.current?.()
    setAttempt({ status: 'waiting', isSlow: false })
    const slow = setTimeout(() => {
      setAttempt((now) => (now.status === 'waiting' ? { status: 'waiting', isSlow: true } : now))
    }, slowAfterMs)
    leave.current = () => {
      clearTimeout(slow)
      controller.abort()
    }
    const { signal } = controller
    answer.then(
      (result) => signal.aborted || done?.(result as Result),
      (error: unknown) => signal.aborted || setAttempt({ status: 'failed', error }),
    )
  }
  const askNow = () => {
    const controller = new AbortController()
    begin(ask(controller.signal), controller)
  }
  const first = useLatestCallback(() => {
    if (!request || request.signal.aborted) return askNow()
    begin(request.answer, { signal: request.signal, abort: request.leave })
  })

  useEffect(() => {
    // Strict mode mounts twice, but a wallet must get only a single request.
    const timer = setTimeout(() => first())
    return () => {
      clearTimeout(timer)
      leave.current?.()
    }
  }, [first])
  return { ...attempt, retry: askNow }
}
