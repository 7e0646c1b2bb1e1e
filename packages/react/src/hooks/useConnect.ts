import { connect } from '@latchkey/core'
import { useAction } from '../app/useAction.ts'
import { useAppState } from '../app/useAppState.ts'

/** Connects a wallet without the modal; `connectors` are those found so far. */
export function useConnect() {
  const { run, ...progress } = useAction(connect)
  return { connect: run, connectors: useAppState((state) => state.connectors), ...progress }
}
