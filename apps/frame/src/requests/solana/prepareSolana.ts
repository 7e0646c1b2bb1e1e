import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { prepareSolanaMessage } from './prepareSolanaMessage.ts'
import { prepareSolanaTransactions } from './prepareSolanaTransactions.ts'

const transactionMethods = [
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
]

/** The methods of Solana. Throws UNSUPPORTED_METHOD, INVALID_PARAMS, UNAUTHORIZED and the errors of our RPC. */
export function prepareSolana(
  request: ApprovalRequest,
): Promise<PreparedRequest> | PreparedRequest {
  const { method } = request
  if (method === 'solana_signMessage') return prepareSolanaMessage(request)
  if (transactionMethods.includes(method)) return prepareSolanaTransactions(request)
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
}
