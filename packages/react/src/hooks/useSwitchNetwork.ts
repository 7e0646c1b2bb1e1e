import { switchNetwork } from '@latchkey/core'
import { useAction } from '../app/useAction.ts'

/** Selects a network and asks a connected wallet to switch to it. */
export function useSwitchNetwork() {
  const { run, ...progress } = useAction(switchNetwork)
  return { switchNetwork: run, ...progress }
}
