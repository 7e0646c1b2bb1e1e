import { type App, disconnect } from '@latchkey/core'
import type { Namespace } from '@latchkey/wire'
import { useAction } from '../app/useAction.ts'

const act = (app: App, parameters: { namespace?: Namespace } | undefined) =>
  disconnect(app, parameters ?? {})

/** Disconnects a namespace, or all of them. */
export function useDisconnect() {
  const { run, ...progress } = useAction(act)
  return { disconnect: (parameters?: { namespace?: Namespace }) => run(parameters), ...progress }
}
