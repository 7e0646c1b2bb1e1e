import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import { findBatchAllowance } from './batchAllowance.ts'
import { prepareOperation } from './operation/prepareOperation.ts'
import { parseUserOperation } from './parseUserOperation.ts'

/**
 * eth_sendUserOperation (ERC-7769): handled like wallet_sendCalls with the same calls and an atomic
 * batch. Returns the hash of the signed operation. Throws the errors of {@link parseUserOperation}.
 */
export async function prepareUserOperation(request: ApprovalRequest): Promise<PreparedApproval> {
  const batch = { id: undefined, calls: parseUserOperation(request), isAtomic: true }
  return prepareOperation(request, {
    batch,
    allowance: findBatchAllowance(request, batch),
    isUpgrade: (await request.calls.readType()) !== 'smartAccount',
    answer: async (hash) => hash,
  })
}
