import { connect } from '@latchkey/core'
import { useAction } from '../app/useAction.ts'
import { useAppState } from '../app/useAppState.ts'

/** Connects a wallet without the modal. `connectors` are the connectors found so far. */
export function useConnect() {
  const action = useAction(connect)
  const connectors = useAppState((state) => state.connectors)
  return { ...action, connect: action.mutate, connectAsync: action.mutateAsync, connectors }
}
