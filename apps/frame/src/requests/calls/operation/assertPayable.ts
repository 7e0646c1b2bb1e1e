import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest } from '../../approvalRequest.ts'
import type { BatchedCall } from '../batchCall.ts'
import type { UnsignedOperation } from './buildOperation.ts'
import { getMaxFee } from './operationFee.ts'

/**
 * Returns the operation that `building` resolves to if the account can pay for it. Throws
 * INSUFFICIENT_FUNDS and INSUFFICIENT_GAS.
 */
export async function assertPayable(
  request: ApprovalRequest,
  given: { calls: readonly BatchedCall[]; building: Promise<UnsignedOperation> },
): Promise<UnsignedOperation> {
  const leftWei = await readRest(request, given.calls)
  const unsigned = await given.building
  if (!unsigned.operation.paymaster && getMaxFee(unsigned.operation) > leftWei)
    throw new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol: request.chain.symbol } })
  return unsigned
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
