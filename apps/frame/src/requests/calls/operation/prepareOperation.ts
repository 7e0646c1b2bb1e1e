import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest, PreparedRequest } from '../../approvalRequest.ts'
import { lowerBatchAllowance } from '../batchAllowance.ts'
import type { BatchCall } from '../batchCall.ts'
import type { Work as OneByOne } from '../prepareOneByOne.ts'
import { readDelegation } from '../readDelegation.ts'
import { buildOperation } from './buildOperation.ts'
import { getMaxFee } from './operationFee.ts'
import { reviewOperation } from './reviewOperation.ts'
import { sendOperation, signOperation } from './sendOperation.ts'

type Work = Pick<OneByOne, 'batch' | 'allowance'> & {
  /** By approving it, the user agrees to the smart account. */
  readonly isUpgrade: boolean
  /** The request's result, of the hash of the signed operation. Called before that is sent. */
  answer(hash: string): Promise<unknown>
}

/**
 * One user operation for all calls of a batch. Throws INSUFFICIENT_FUNDS, INSUFFICIENT_GAS, and as
 * {@link buildOperation}.
 */
export async function prepareOperation(
  request: ApprovalRequest,
  work: Work,
): Promise<PreparedRequest> {
  const { batch, allowance, answer } = work
  const { now, accounts, chain } = request
  const builtAtMs = now()
  const delegation = readDelegation(request, accounts.eip155)
  const building = buildOperation(request, { calls: batch.calls, delegation })
  // Calls that send more than there is only revert, so that is said first.
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
 * What the account has besides what the calls send. Throws INSUFFICIENT_FUNDS, because nodes do not
 * report it clearly.
 */
async function readRest(
  { read, chain, signal, accounts }: ApprovalRequest,
  calls: readonly BatchCall[],
): Promise<bigint> {
  const balance = BigInt(
    String(await read(chain, 'eth_getBalance', [accounts.eip155, 'latest'], signal)),
  )
  const value = calls.reduce((sum, one) => sum + one.value, 0n)
  if (value > balance) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  return balance - value
}
