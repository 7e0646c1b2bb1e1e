import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest, PreparedRequest } from '../../approvalRequest.ts'
import { lowerBatchAllowance } from '../batchAllowance.ts'
import type { BatchCall } from '../parseCalls.ts'
import type { Work as OneByOne } from '../prepareOneByOne.ts'
import { readDelegation } from '../readDelegation.ts'
import { buildOperation, type UnsignedOperation } from './buildOperation.ts'
import { getMaxFee } from './operationFee.ts'
import { reviewOperation } from './reviewOperation.ts'
import { sendOperation, signOperation } from './sendOperation.ts'

type Work = Pick<OneByOne, 'batch' | 'allowance'> & {
  /** By approving it, the user agrees to the smart account. */
  readonly isUpgrade: boolean
  /** The request's result, of the hash of the signed operation. Called before that is sent. */
  answer(hash: string): Promise<unknown>
}

/** One user operation for all calls of a batch. */
export async function prepareOperation(
  request: ApprovalRequest,
  work: Work,
): Promise<PreparedRequest> {
  const { batch, allowance, answer } = work
  const { now, accounts } = request
  const builtAtMs = now()
  const delegation = readDelegation(request, accounts.eip155)
  const unsigned = await buildOperation(request, { calls: batch.calls, delegation })
  await assertFunds(request, unsigned, batch.calls)
  const prepared = await reviewOperation(request, {
    unsigned,
    builtAtMs,
    asked: allowance?.asked,
    rebuild: () => prepareOperation(request, work),
    ...(allowance && {
      edit: async (amount) =>
        prepareOperation(request, {
          ...work,
          batch: lowerBatchAllowance(batch, allowance, amount),
        }),
    }),
    send: async () => {
      const signed = await signOperation(request, unsigned)
      const result = await answer(signed.hash)
      await sendOperation(request, signed)
      await request.calls.writeType('smartAccount')
      return result
    },
  })
  return work.isUpgrade ? { ...prepared, refusedAs: 'UPGRADE_REJECTED' } : prepared
}

/** Throws INSUFFICIENT_FUNDS, INSUFFICIENT_GAS, because nodes do not report them clearly. */
async function assertFunds(
  { read, chain, signal, accounts }: ApprovalRequest,
  { operation }: UnsignedOperation,
  calls: readonly BatchCall[],
): Promise<void> {
  const balance = BigInt(
    String(await read(chain, 'eth_getBalance', [accounts.eip155, 'latest'], signal)),
  )
  const value = calls.reduce((sum, one) => sum + one.value, 0n)
  if (value > balance) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  if (!operation.paymaster && value + getMaxFee(operation) > balance)
    throw new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol: chain.symbol } })
}
