import type { App } from '@latchkey/core'
import { useCallback, useState } from 'react'
import { useApp } from './useApp.ts'

type Progress<Result> =
  | { status: 'idle' | 'pending'; error: undefined; data: undefined }
  | { status: 'error'; error: unknown; data: undefined }
  | { status: 'success'; error: undefined; data: Result }

const idle = { status: 'idle', error: undefined, data: undefined } as const
const pending = { status: 'pending', error: undefined, data: undefined } as const

/** Runs one of core's actions and returns its progress; `run` also rejects, so that callers can await it. */
export function useAction<Parameters, Result>(
  act: (app: App, parameters: Parameters) => Promise<Result>,
): Progress<Result> & { run: (parameters: Parameters) => Promise<Result>; reset: () => void } {
  const app = useApp()
  const [progress, setProgress] = useState<Progress<Result>>(idle)
  const run = useCallback(
    async (parameters: Parameters) => {
      setProgress(pending)
      try {
        const data = await act(app, parameters)
        setProgress({ status: 'success', error: undefined, data })
        return data
      } catch (error) {
        setProgress({ status: 'error', error, data: undefined })
        throw error
      }
    },
    [app, act],
  )
  return { ...progress, run, reset: useCallback(() => setProgress(idle), []) }
}
