import { sendCalls } from '@latchkey/core'
import { useAccountAction } from '../../app/useAction.ts'

/**
 * Has the connected wallet send several calls (EIP-5792), in a batch if it can. The result is the
 * id of the batch.
 */
export function useSendCalls() {
  const action = useAccountAction(sendCalls)
  return { ...action, sendCalls: action.mutate, sendCallsAsync: action.mutateAsync }
}
