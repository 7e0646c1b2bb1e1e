import { signMessage } from '@latchkey/core'
import { useAction } from '../app/useAction.ts'

/** Has the connected account sign a text; resolves to the signature. */
export function useSignMessage() {
  const { run, ...progress } = useAction(signMessage)
  return { signMessage: run, ...progress }
}
