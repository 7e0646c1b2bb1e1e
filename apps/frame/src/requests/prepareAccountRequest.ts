import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest, PreparedRequest } from './approvalRequest.ts'
import { prepareCalls } from './calls/prepareCalls.ts'
import { prepareUserOperation } from './calls/prepareUserOperation.ts'

/**
 * Checks a batch (EIP-5792), a user operation (ERC-7769) or permissions (ERC-7715) of an EVM account, and makes it readable. Throws
 * UNSUPPORTED_METHOD, also where the network has no smart accounts, and the errors of preparing it.
 */
export async function prepareAccountRequest(request: ApprovalRequest): Promise<PreparedRequest> {
  const { method, chain } = request
  if (method === 'wallet_sendCalls') return prepareCalls(request)
  if (method === 'eth_sendUserOperation' && chain.smartAccounts)
    return prepareUserOperation(request)
  // Most sites ask for no permission.
  if (method === 'wallet_grantPermissions' && chain.smartAccounts?.permissions)
    return (await import('./permissions/prepareGrant.ts')).prepareGrant(request)
  if (method === 'wallet_revokePermissions' && chain.smartAccounts?.permissions)
    return (await import('./permissions/prepareRevoke.ts')).prepareRevoke(request)
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
}
