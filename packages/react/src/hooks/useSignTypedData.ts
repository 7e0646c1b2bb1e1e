import { signTypedData } from '@latchkey/core'
import { useAccountAction } from '../app/useAction.ts'

/** Has the connected account sign typed data (EIP-712). The result is the signature. */
export function useSignTypedData() {
  const action = useAccountAction(signTypedData)
  return { ...action, signTypedData: action.mutate, signTypedDataAsync: action.mutateAsync }
}
