import type { ApprovalRequest, PreparedRequest } from '../src/requests/approvalRequest.ts'
import { loadPreparation } from '../src/requests/loadPreparation.ts'

/** A request as the frame prepares it, whatever its method. */
export const prepareRequest = async (request: ApprovalRequest): Promise<PreparedRequest> =>
  (await loadPreparation(request))(request)
