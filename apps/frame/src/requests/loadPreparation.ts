import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest, PreparedApproval } from './approvalRequest.ts'

/**
 * Validates a request and makes it readable. Throws INVALID_PARAMS, UNAUTHORIZED,
 * UNSUPPORTED_METHOD and the errors of our RPC.
 */
export type Prepare = (request: ApprovalRequest) => Promise<PreparedApproval> | PreparedApproval

/**
 * Loads the code that prepares requests of this kind. Each kind is a separate chunk, in addition to
 * what every approval needs. Throws UNSUPPORTED_METHOD, also for methods that need smart accounts
 * or permissions on a network without them.
 */
export async function loadPreparation({
  method,
  params,
  chain,
  calls,
}: Pick<ApprovalRequest, 'method' | 'params' | 'chain' | 'calls'>): Promise<Prepare> {
  const accounts = chain.smartAccounts
  const evm = chain.namespace === 'eip155'
  if (evm && method === 'eth_sendTransaction') {
    const mayBePaid = accounts?.sponsor && (await calls.readType()) === 'smartAccount'
    return mayBePaid
      ? (await import('./calls/prepareSponsored.ts')).prepareSponsored
      : (await import('./evm/prepareTransaction.ts')).prepareTransaction
  }
  if (evm && method === 'wallet_replaceTransaction')
    return accounts && (await isOperation({ params, chain, calls }))
      ? (await import('./calls/operation/prepareOperationReplacement.ts'))
          .prepareOperationReplacement
      : (await import('./evm/replacement/prepareReplacement.ts')).prepareReplacement
  if (evm && method === 'personal_sign') return (await import('./prepareMessage.ts')).prepareMessage
  if (evm && /^eth_signTypedData_v[34]$/.test(method))
    return (await import('./evm/typedData/prepareTypedData.ts')).prepareTypedData
  if (evm && method === 'wallet_sendCalls') return loadBatch(accounts !== undefined, calls)
  if (evm && method === 'eth_sendUserOperation' && accounts)
    return (await import('./calls/prepareUserOperation.ts')).prepareUserOperation
  if (evm && method === 'wallet_connect')
    return (await import('./connect/prepareConnect.ts')).prepareConnect
  if (evm && method === 'wallet_watchAsset')
    return (await import('./evm/prepareWatchAsset.ts')).prepareWatchAsset
  if (evm && method === 'wallet_grantPermissions' && accounts?.permissions)
    return (await import('./permissions/prepareGrant.ts')).prepareGrant
  if (evm && method === 'wallet_revokePermissions' && accounts?.permissions)
    return (await import('./permissions/prepareRevoke.ts')).prepareRevoke
  if (!evm && method === 'solana_signMessage')
    return (await import('./solana/prepareSolanaMessage.ts')).prepareSolanaMessage
  if (!evm && /^solana_sign(Transaction|AllTransactions|AndSendTransaction)$/.test(method))
    return (await import('./solana/prepareSolanaTransactions.ts')).prepareSolanaTransactions
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
}

/**
 * Loads the preparation of a batch. If it is already certain how the batch will be sent, loads that
 * code at the same time.
 */
async function loadBatch(mayBeSmart: boolean, calls: ApprovalRequest['calls']): Promise<Prepare> {
  const isSmart = mayBeSmart && (await calls.readType()) === 'smartAccount'
  const [{ prepareSendCalls }] = await Promise.all([
    import('./calls/prepareCalls.ts'),
    isSmart
      ? import('./calls/operation/prepareOperation.ts')
      : !mayBeSmart && import('./calls/prepareOneByOne.ts'),
  ])
  return prepareSendCalls
}

/** Whether the page requests the replacement of a user operation that it has sent. */
async function isOperation({
  params,
  chain,
  calls,
}: Pick<ApprovalRequest, 'params' | 'chain' | 'calls'>): Promise<boolean> {
  const hash: unknown = Array.isArray(params) ? params[0]?.hash : undefined
  return typeof hash === 'string' && (await calls.operations()).has(chain.id, hash.toLowerCase())
}
