import type { ApprovalRequest, PreparedApproval } from '../../approvalRequest.ts'
import { lowerBatchAllowance } from '../batchAllowance.ts'
import type { OneByOneParameters as OneByOne } from '../prepareOneByOne.ts'
import { readDelegation } from '../readDelegation.ts'
import { assertPayable } from './assertPayable.ts'
import { buildOperation } from './buildOperation.ts'
import { reviewOperation } from './reviewOperation.ts'

type PrepareOperationParameters = Pick<OneByOne, 'batch' | 'allowance'> & {
  readonly batchId?: string
  /** Whether approving it also upgrades the account to a smart account. */
  readonly isUpgrade: boolean
  /**
   * Returns the result of the request for the hash of the signed operation. Called before the
   * operation is sent.
   */
  answer(hash: string): Promise<unknown>
}

/**
 * Prepares one user operation for all calls of a batch. Throws INSUFFICIENT_FUNDS,
 * INSUFFICIENT_GAS, and the errors of {@link buildOperation}.
 */
export async function prepareOperation(
  request: ApprovalRequest,
  work: PrepareOperationParameters,
): Promise<PreparedApproval> {
  const { batch, batchId, allowance, answer } = work
  const { now, accounts } = request
  const builtAtMs = now()
  const delegation = readDelegation(request, accounts.eip155)
  const building = buildOperation(request, { calls: batch.calls, delegation })
  // Calls that send more than the balance only revert, so INSUFFICIENT_FUNDS is reported first.
  building.catch(() => {})
  const unsigned = await assertPayable(request, { calls: batch.calls, building })
  const prepared = await reviewOperation(request, {
    unsigned,
    builtAtMs,
    requestedAllowance: allowance?.requestedAllowance,
    rebuild: () => prepareOperation(request, work),
    ...(allowance && {
      edit: async (amount) =>
        prepareOperation(request, {
          ...work,
          batch: lowerBatchAllowance(batch, allowance, amount),
        }),
    }),
    send: async () => {
      const { submitOperation } = await import('./sendOperation.ts')
      let result: unknown
      await submitOperation(request, unsigned, {
        batchId,
        onSigned: async (hash) => {
          result = await answer(hash)
        },
      })
      await request.calls.writeType('smartAccount')
      return result
    },
  })
  return work.isUpgrade ? { ...prepared, refusedAs: 'UPGRADE_REJECTED' } : prepared
}
