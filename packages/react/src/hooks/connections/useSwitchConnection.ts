import { switchConnection } from '@latchkey/core'
import { useAction } from '../../app/useAction.ts'

/** Puts a connected wallet in use, without a prompt; the wallet that was in use stays connected. */
export function useSwitchConnection() {
  const action = useAction(switchConnection)
  return {
    ...action,
    switchConnection: action.mutate,
    switchConnectionAsync: action.mutateAsync,
  }
}
