import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest } from '../approvalRequest.ts'

/**
 * The result of `prepare`, which runs while our RPC says of which network it is. Throws
 * CHAIN_DISCONNECTED where that is another one, whatever `prepare` throws then.
 */
export async function onNetwork<T>(
  { chain, read, signal }: ApprovalRequest,
  prepare: () => Promise<T>,
): Promise<T> {
  const prepared = prepare()
  prepared.catch(() => {})
  if (Number(await read(chain, 'eth_chainId', [], signal)) !== Number(chain.reference))
    throw new LatchkeyError('CHAIN_DISCONNECTED')
  return prepared
}
