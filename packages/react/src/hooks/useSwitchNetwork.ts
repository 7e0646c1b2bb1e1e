import { switchNetwork } from '@latchkey/core'
import { useAccountAction } from '../app/useAction.ts'

/** Selects a network, and requests that a connected wallet switches to it. */
export function useSwitchNetwork() {
  const action = useAccountAction(switchNetwork)
  return { ...action, switchNetwork: action.mutate, switchNetworkAsync: action.mutateAsync }
}
