import { switchNetwork } from '@latchkey/core'
import { useAction } from '../app/useAction.ts'

/** Selects a network; a connected wallet is asked to go there. */
export function useSwitchNetwork() {
  const { run, ...progress } = useAction(switchNetwork)
  return { switchNetwork: run, ...progress }
}
