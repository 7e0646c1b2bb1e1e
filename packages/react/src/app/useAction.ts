import { type App, activeNetwork, type State } from '@latchkey/core'
import type { ChainId, Namespace } from '@latchkey/wire'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from './useApp.ts'

type Progress<Parameters, Result> =
  | { status: 'idle'; data: undefined; error: null; variables: undefined }
  | { status: 'pending'; data: undefined; error: null; variables: Parameters }
  | { status: 'error'; data: undefined; error: Error; variables: Parameters }
  | { status: 'success'; data: Result; error: null; variables: Parameters }

/**
 * Callbacks for the end of an action's run, like those for TanStack's `mutate`: only the latest run
 * calls them, and no run after a reset.
 */
export type Callbacks<Parameters, Result> = {
  onSuccess?: (data: Result, variables: Parameters) => void
  onError?: (error: Error, variables: Parameters) => void
  onSettled?: (data: Result | undefined, error: Error | null, variables: Parameters) => void
}

/** An action and its latest run, in the shape of TanStack Query's mutations. */
export type Action<Parameters, Result> = Progress<Parameters, Result> & {
  isIdle: boolean
  isPending: boolean
  isSuccess: boolean
  isError: boolean
  /**
   * Runs the action. It never throws or rejects: the result is in `data`, and a failure in `error`.
   */
  mutate: (parameters: Parameters, callbacks?: Callbacks<Parameters, Result>) => void
  /** Runs the action. Resolves to its result, and rejects with its error. */
  mutateAsync: (parameters: Parameters) => Promise<Result>
  /** Forgets the latest run. */
  reset: () => void
}

const idle = { status: 'idle', data: undefined, error: null, variables: undefined } as const

/**
 * Runs an action of core and returns the progress of its latest run: an earlier run that ends later
 * changes nothing. The action starts in the task of the call, so that a wallet can open a window in
 * a click.
 */
export function useAction<Parameters, Result>(
  act: (app: App, parameters: Parameters) => Promise<Result>,
): Action<Parameters, Result> {
  const app = useApp()
  const [progress, setProgress] = useState<Progress<Parameters, Result>>(idle)
  const latest = useRef(0)
  const mutateAsync = useCallback(
    async (variables: Parameters) => {
      const run = ++latest.current
      const set = (next: Progress<Parameters, Result>) => {
        if (run === latest.current) setProgress(next)
      }
      set({ status: 'pending', data: undefined, error: null, variables })
      try {
        const data = await act(app, variables)
        set({ status: 'success', data, error: null, variables })
        return data
      } catch (cause) {
        set({ status: 'error', data: undefined, error: toError(cause), variables })
        throw cause
      }
    },
    [app, act],
  )
  const mutate = useCallback(
    (variables: Parameters, callbacks: Callbacks<Parameters, Result> = {}) => {
      const { onSuccess, onError, onSettled } = callbacks
      const running = mutateAsync(variables)
      const run = latest.current
      running.then(
        (data) => {
          if (run !== latest.current) return
          onSuccess?.(data, variables)
          onSettled?.(data, null, variables)
        },
        (cause) => {
          if (run !== latest.current) return
          const error = toError(cause)
          onError?.(error, variables)
          onSettled?.(undefined, error, variables)
        },
      )
    },
    [mutateAsync],
  )
  const reset = useCallback(() => {
    latest.current++
    setProgress(idle)
  }, [])
  const { status } = progress
  return {
    ...progress,
    isIdle: status === 'idle',
    isPending: status === 'pending',
    isSuccess: status === 'success',
    isError: status === 'error',
    mutate,
    mutateAsync,
    reset,
  }
}

/**
 * An action of a connected account: {@link useAction} that forgets its latest run when the account
 * of its namespace disconnects. The parameters name the namespace, otherwise it belongs to the
 * network that is selected at the start of the run.
 */
export function useAccountAction<Parameters, Result>(
  act: (app: App, parameters: Parameters) => Promise<Result>,
): Action<Parameters, Result> {
  const namespace = useRef<string>(undefined)
  const actInNamespace = useCallback(
    (app: App, parameters: Parameters) => {
      namespace.current =
        readNamespace(parameters) ?? activeNetwork(app.store.getState()).chainNamespace
      return act(app, parameters)
    },
    [act],
  )
  const action = useAction(actInNamespace)
  const app = useApp()
  const { reset } = action
  useEffect(() => {
    const isGone = ({ connections }: State) =>
      Object.entries(connections).some(
        ([name, { status }]) => name === namespace.current && status === 'disconnected',
      )
    return app.store.subscribe((state, before) => {
      if (state.connections !== before.connections && isGone(state) && !isGone(before)) reset()
    })
  }, [app, reset])
  return action
}

/** The namespace that the parameters of an action name, directly or by their `chainId`. */
function readNamespace(parameters: unknown): string | undefined {
  const { namespace, chainId } = { ...(parameters as { namespace?: Namespace; chainId?: ChainId }) }
  return namespace ?? chainId?.split(':')[0]
}

const toError = (cause: unknown): Error =>
  cause instanceof Error ? cause : new Error(String(cause))
