import { type App, disconnect } from '@latchkey/core'
import type { Namespace } from '@latchkey/wire'
import { type Callbacks, useAction } from '../app/useAction.ts'

type Parameters = { namespace?: Namespace; connectorId?: string } | undefined

const act = (app: App, parameters: Parameters) => disconnect(app, parameters ?? {})

/** Disconnects a wallet, the wallets of a namespace, or all wallets. */
export function useDisconnect(): ReturnType<typeof useAction<Parameters, void>> & {
  disconnect: (parameters?: Parameters, callbacks?: Callbacks<Parameters, void>) => void
  disconnectAsync: (parameters?: Parameters) => Promise<void>
} {
  const action = useAction(act)
  return { ...action, disconnect: action.mutate, disconnectAsync: action.mutateAsync }
}
