import { request } from '@latchkey/core'
import { useAction } from '../app/useAction.ts'

/** Sends a request of the chain's own protocol (EIP-1193 on EVM) to the connected wallet. */
export function useRequest() {
  const { run, ...progress } = useAction(request)
  return { request: run, ...progress }
}
