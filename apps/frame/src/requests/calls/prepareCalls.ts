import { isError, LatchkeyError } from '@latchkey/wire'
import { approvals } from '../../locales/approvals.en.ts'
import { entryPoint } from '../../smartAccount.ts'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { danger } from '../getWarnings.ts'
import { hasGrown } from '../simulation/hasGrown.ts'
import { buildOperation, formatOperation, type UnsignedOperation } from './buildOperation.ts'
import { describeOperation, getMaxFee, type OperationReview } from './describeOperation.ts'
import { type BatchCall, parseCalls } from './parseCalls.ts'
import { prepareOneByOne, type Work } from './prepareOneByOne.ts'
import { readDelegation } from './readDelegation.ts'

/** The sponsor's signature is good for ten minutes. */
const freshForMs = 8 * 60_000

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
  const isSmart = (await access.readType()) === 'smartAccount'
  if (request.chain.smartAccounts === undefined || (!isSmart && !batch.isAtomic)) {
    if (batch.isAtomic) throw new LatchkeyError('ATOMICITY_UNSUPPORTED')
    return prepareOneByOne(request, { access, batch, id })
  }
  const prepared = await prepareOperation(request, { access, batch, id })
  return isSmart ? prepared : { ...prepared, refusedAs: 'UPGRADE_REJECTED' }
}

async function prepareOperation(request: ApprovalRequest, work: Work): Promise<PreparedRequest> {
  const { batch } = work
  const { now, accounts } = request
  const builtAtMs = now()
  const isDelegated = (await readDelegation(request, accounts.eip155)) === 'ours'
  const unsigned = await buildOperation(request, { calls: batch.calls, isDelegated })
  await assertFunds(request, unsigned, batch.calls)
  const review = await describeOperation(request, unsigned)
  return reviewOperation(request, { ...work, unsigned, review, builtAtMs })
}

type Built = Work & {
  readonly unsigned: UnsignedOperation
  readonly review: OperationReview
  readonly builtAtMs: number
}

function reviewOperation(request: ApprovalRequest, built: Built): PreparedRequest {
  const { access, id, unsigned, review, builtAtMs } = built
  const { chain, keys, read, now } = request
  return {
    view: review.view,
    counterparties: review.counterparties,
    recheck: async () => {
      if (now() - builtAtMs > freshForMs) return prepareOperation(request, built)
      const again = await describeOperation(request, unsigned)
      if (!hasGrown(review, again)) return undefined
      const warnings = [danger(approvals.warn.changed), ...again.view.warnings]
      return reviewOperation(request, {
        ...built,
        review: { ...again, view: { ...again.view, warnings } },
      })
    },
    approve: async () => {
      const { operation, authorize } = unsigned
      const signed = await keys.do('signUserOperation', {
        operation,
        ...(authorize && { authorize }),
      })
      // Saved before it is sent, so that a reload in between loses nothing.
      await access.save(id, { chainId: chain.id, kind: 'operation', hash: signed.hash })
      const hash = await send(() =>
        read(chain, 'eth_sendUserOperation', [formatOperation(operation, signed), entryPoint]),
      )
      if (hash !== signed.hash) throw new LatchkeyError('ANSWER_INVALID')
      // By approving the delegation, the user agrees to the smart account.
      await access.writeType('smartAccount')
      return { id }
    },
  }
}

const maxTries = 3

/** A lost answer is not a failure: the same operation is sent again, and its nonce allows it only once. */
async function send(ask: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (isError(error, 'RPC_FAILED') || tries === maxTries) throw error
    }
  }
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
