import { signTypedData } from '@latchkey/core'
import { useAction } from '../app/useAction.ts'

/** Has the connected account sign typed data (EIP-712); resolves to the signature. */
export function useSignTypedData() {
  const { run, ...progress } = useAction(signTypedData)
  return { signTypedData: run, ...progress }
}
