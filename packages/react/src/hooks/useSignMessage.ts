import { signMessage } from '@latchkey/core'
import { useAccountAction } from '../app/useAction.ts'

/** Has the connected account sign a message. The result is the signature. */
export function useSignMessage() {
  const action = useAccountAction(signMessage)
  return { ...action, signMessage: action.mutate, signMessageAsync: action.mutateAsync }
}
