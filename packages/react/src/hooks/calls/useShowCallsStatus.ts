import { showCallsStatus } from '@latchkey/core'
import { useAccountAction } from '../../app/useAction.ts'

/**
 * Shows the status of a batch (EIP-5792): in the wallet, or in the modal if the wallet cannot show
 * it.
 */
export function useShowCallsStatus() {
  const action = useAccountAction(showCallsStatus)
  return { ...action, showCallsStatus: action.mutate, showCallsStatusAsync: action.mutateAsync }
}
