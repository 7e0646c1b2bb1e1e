import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { prepareGrant } from './prepareGrant.ts'
import { prepareRevoke } from './prepareRevoke.ts'

/** What a site may do without asking (ERC-7715): it is granted, or ends. Throws as {@link prepareGrant} and {@link prepareRevoke}. */
export const preparePermissions = (request: ApprovalRequest): Promise<PreparedRequest> =>
  request.method === 'wallet_grantPermissions' ? prepareGrant(request) : prepareRevoke(request)
