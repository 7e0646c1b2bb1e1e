import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest, PreparedRequest } from '../../approvalRequest.ts'
import { lowerBatchAllowance } from '../batchAllowance.ts'
import type { BatchedCall } from '../batchCall.ts'
import type { OneByOneParameters as OneByOne } from '../prepareOneByOne.ts'
import { readDelegation } from '../readDelegation.ts'
import { buildOperation } from './buildOperation.ts'
import { getMaxFee } from './operationFee.ts'
import { reviewOperation } from './reviewOperation.ts'
import { sendOperation, signOperation } from './sendOperation.ts'

type PrepareOperationParameters = Pick<OneByOne, 'batch' | 'allowance'> & {
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
): Promise<PreparedRequest> {
  const { batch, allowance, answer } = work
  const { now, accounts, chain } = request
  const builtAtMs = now()
  const delegation = readDelegation(request, accounts.eip155)
  const building = buildOperation(request, { calls: batch.calls, delegation })
  // Calls that send more than the balance only revert, so INSUFFICIENT_FUNDS is reported first.
  building.catch(() => {})
  const leftWei = await readRest(request, batch.calls)
  const unsigned = await building
  if (!unsigned.operation.paymaster && getMaxFee(unsigned.operation) > leftWei)
    throw new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol: chain.symbol } })
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

/**
 * The account's balance minus what the calls send. Throws INSUFFICIENT_FUNDS, because nodes do not
 * report it clearly.
 */
async function readRest(
  { read, chain, signal, accounts }: ApprovalRequest,
  calls: readonly BatchedCall[],
): Promise<bigint> {
  const balance = BigInt(
    String(await read(chain, 'eth_getBalance', [accounts.eip155, 'latest'], signal)),
  )
  const value = calls.reduce((sum, one) => sum + one.value, 0n)
  if (value > balance) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  return balance - value
}
