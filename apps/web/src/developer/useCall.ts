import { useCallback, useRef, useState } from 'react'

export type Call<Result> =
  | { status: 'idle' }
  | { status: 'running'; note: string }
  | { status: 'done'; result: Result }
  | { status: 'failed'; error: unknown }

/**
 * Runs one call at a time and tracks its status; `setNote` updates the progress message of a long
 * call.
 */
export function useCall<Result>(note: string) {
  const [call, setCall] = useState<Call<Result>>({ status: 'idle' })
  const isRunning = useRef(false)
  const start = useCallback(
    async (work: (setNote: (note: string) => void) => Promise<Result>) => {
      if (isRunning.current) return
      isRunning.current = true
      const setNote = (now: string) => setCall({ status: 'running', note: now })
      setNote(note)
      try {
        setCall({ status: 'done', result: await work(setNote) })
      } catch (error) {
        setCall({ status: 'failed', error })
      } finally {
        isRunning.current = false
      }
    },
    [note],
  )
  return { call, start }
}
