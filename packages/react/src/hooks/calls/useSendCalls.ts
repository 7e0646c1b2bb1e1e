import { sendCalls } from '@latchkey/core'
import { useAction } from '../../app/useAction.ts'

/** Has the connected wallet send several calls (EIP-5792), as one where it can; resolves to the batch's id. */
export function useSendCalls() {
  const { run, ...progress } = useAction(sendCalls)
  return { sendCalls: run, ...progress }
}
