import { type App, disconnect } from '@latchkey/core'
import type { Namespace } from '@latchkey/wire'
import { useAction } from '../app/useAction.ts'

type Parameters = { namespace?: Namespace } | undefined

const act = (app: App, parameters: Parameters) => disconnect(app, parameters ?? {})

/** Disconnects a namespace, or all of them. */
export function useDisconnect() {
  const action = useAction(act)
  return {
    ...action,
    disconnect: (parameters?: Parameters) => action.mutate(parameters),
    disconnectAsync: (parameters?: Parameters) => action.mutateAsync(parameters),
  }
}
