import { LatchkeyError } from '@latchkey/wire'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { findBatchAllowance, lowerBatchAllowance } from './batchAllowance.ts'
import { buildOperation, type UnsignedOperation } from './buildOperation.ts'
import { getMaxFee } from './describeOperation.ts'
import { type BatchCall, parseCalls } from './parseCalls.ts'
import { type Work as OneByOne, prepareOneByOne } from './prepareOneByOne.ts'
import { readDelegation } from './readDelegation.ts'
import { reviewOperation } from './reviewOperation.ts'
import { sendOperation, signOperation } from './sendOperation.ts'

/**
 * wallet_sendCalls (EIP-5792): one user operation of the smart account; of a plain account transactions one after another,
 * unless the page needs all or nothing, which turns the smart account on with the user's approval.
 */
export async function prepareCalls(request: ApprovalRequest): Promise<PreparedRequest> {
  const { calls: access } = request
  const batch = parseCalls(request)
  const id = batch.id ?? createId()
  if (batch.id !== undefined && (await access.find(batch.id)))
    throw new LatchkeyError('BATCH_ID_TAKEN')
  const work = { access, batch, id, allowance: findBatchAllowance(request, batch) }
  const isSmart = (await access.readType()) === 'smartAccount'
  if (request.chain.smartAccounts === undefined || (!isSmart && !batch.isAtomic)) {
    if (batch.isAtomic) throw new LatchkeyError('ATOMICITY_UNSUPPORTED')
    return prepareOneByOne(request, work)
  }
  return prepareOperation(request, {
    batch,
    allowance: work.allowance,
    isUpgrade: !isSmart,
    answer: async (hash) => {
      // Saved before it is sent, so that a reload in between loses nothing.
      await access.save(id, { chainId: request.chain.id, kind: 'operation', hash })
      return { id }
    },
  })
}

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

const createId = () =>
  `0x${[...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
