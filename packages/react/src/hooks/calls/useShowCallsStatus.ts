import { showCallsStatus } from '@latchkey/core'
import { useAction } from '../../app/useAction.ts'

/** Shows the status of a batch (EIP-5792): in the wallet, or in the modal if the wallet cannot show it. */
export function useShowCallsStatus() {
  const { run, ...progress } = useAction(showCallsStatus)
  return { showCallsStatus: run, ...progress }
}
