import { request } from '@latchkey/core'
import { useAccountAction } from '../app/useAction.ts'

/** Sends a request of the chain's own protocol (EIP-1193 on EVM) to the connected wallet. */
export function useRequest() {
  const action = useAccountAction(request)
  return { ...action, request: action.mutate, requestAsync: action.mutateAsync }
}
