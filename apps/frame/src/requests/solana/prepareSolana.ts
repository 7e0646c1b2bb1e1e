import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { prepareSolanaMessage } from './prepareSolanaMessage.ts'

/** The methods of Solana. Throws UNSUPPORTED_METHOD, INVALID_PARAMS, UNAUTHORIZED and the errors of our RPC. */
export function prepareSolana(
  request: ApprovalRequest,
): Promise<PreparedRequest> | PreparedRequest {
  const { method } = request
  if (method === 'solana_signMessage') return prepareSolanaMessage(request)
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
}
