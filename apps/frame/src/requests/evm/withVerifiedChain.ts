import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest } from '../approvalRequest.ts'

/**
 * Runs `prepare` while verifying the chain id of our RPC. Throws CHAIN_DISCONNECTED if the RPC
 * serves another network, even if `prepare` throws too.
 */
export async function withVerifiedChain<T>(
  { chain, read, signal }: ApprovalRequest,
  prepare: () => Promise<T>,
): Promise<T> {
  const prepared = prepare()
  prepared.catch(() => {})
  if (Number(await read(chain, 'eth_chainId', [], signal)) !== Number(chain.reference))
    throw new LatchkeyError('CHAIN_DISCONNECTED')
  return prepared
}
