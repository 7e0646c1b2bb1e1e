import { type App, disconnect } from '@latchkey/core'
import type { Namespace } from '@latchkey/wire'
import { type Callbacks, useAction } from '../app/useAction.ts'

type Parameters = { namespace?: Namespace } | undefined

const act = (app: App, parameters: Parameters) => disconnect(app, parameters ?? {})

/** Disconnects a namespace, or all of them. */
export function useDisconnect(): ReturnType<typeof useAction<Parameters, void>> & {
  disconnect: (parameters?: Parameters, callbacks?: Callbacks<Parameters, void>) => void
  disconnectAsync: (parameters?: Parameters) => Promise<void>
} {
  const action = useAction(act)
  return { ...action, disconnect: action.mutate, disconnectAsync: action.mutateAsync }
}
