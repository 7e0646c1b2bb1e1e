import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest, PreparedRequest } from './approvalRequest.ts'
import { prepareTransaction } from './evm/prepareTransaction.ts'

/**
 * Checks a request and makes it readable. Throws INVALID_PARAMS, UNAUTHORIZED, UNSUPPORTED_METHOD and the errors of
 * our RPC.
 */
export async function prepareRequest(request: ApprovalRequest): Promise<PreparedRequest> {
  const { method, chain } = request
  const evm = chain.namespace === 'eip155'
  // Chunks of their own: a request needs one of them, most often that of transactions.
  if (method === 'personal_sign' && evm)
    return (await import('./prepareMessage.ts')).prepareMessage(request)
  if (method === 'eth_signTypedData_v4' && evm)
    return (await import('./evm/prepareTypedData.ts')).prepareTypedData(request)
  if (method === 'eth_sendTransaction' && evm) {
    const mayBePaid =
      chain.smartAccounts?.sponsor && (await request.calls.readType()) === 'smartAccount'
    return mayBePaid
      ? (await import('./calls/prepareSponsored.ts')).prepareSponsored(request)
      : prepareTransaction(request)
  }
  if (/^wallet_|UserOperation$/.test(method) && evm)
    return (await import('./prepareAccountRequest.ts')).prepareAccountRequest(request)
  if (method.startsWith('solana_') && !evm)
    // A chunk of its own: most pages never ask for it.
    return (await import('./solana/prepareSolana.ts')).prepareSolana(request)
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
}
