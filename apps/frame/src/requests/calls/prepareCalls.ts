import { isError, LatchkeyError } from '@latchkey/wire'
import type { Hex } from 'viem'
import { approvals } from '../../locales/approvals.en.ts'
import { callsTexts as t } from '../../locales/calls.en.ts'
import { fill } from '../../locales/en.ts'
import { entryPoint } from '../../smartAccount.ts'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { placeRows } from '../approvalRequest.ts'
import { caution, danger } from '../getWarnings.ts'
import { prepareTransaction } from '../prepareTransaction.ts'
import { hasGrown } from '../simulation/hasGrown.ts'
import { buildOperation, formatOperation, type UnsignedOperation } from './buildOperation.ts'
import type { CallsAccess } from './callsAccess.ts'
import { describeOperation, getMaxFee, type OperationReview } from './describeOperation.ts'
import { type Batch, type BatchCall, parseCalls } from './parseCalls.ts'
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

type Work = { readonly access: CallsAccess; readonly batch: Batch; readonly id: string }

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
      // Before it is sent, so that a reload in between forgets nothing.
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

/** A lost answer is no failure: the same operation is sent again, and its nonce lets it through once. */
async function send(ask: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (isError(error, 'RPC_FAILED') || tries === maxTries) throw error
    }
  }
}

/** Throws INSUFFICIENT_FUNDS, INSUFFICIENT_GAS: no node would say so in words. */
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

async function prepareOneByOne(request: ApprovalRequest, work: Work): Promise<PreparedRequest> {
  const { access, batch, id } = work
  const { chain, accounts } = request
  const prepared: PreparedRequest[] = []
  for (const { to, value, data } of batch.calls) {
    const transaction = { from: accounts.eip155, to, value: `0x${value.toString(16)}`, data }
    prepared.push(
      await prepareTransaction({
        ...request,
        method: 'eth_sendTransaction',
        params: [transaction],
      }),
    )
  }
  const [only] = prepared
  const total = prepared.length
  const label = (text: string, index: number) =>
    total === 1 ? text : fill(t.numbered, { number: index + 1, total, label: text })
  const places = new Set(placeRows(request).map((row) => JSON.stringify(row)))
  return {
    view: {
      title: total === 1 && only ? only.view.title : fill(t.titleMany, { count: total }),
      action: approvals.approve.actionSend,
      groups: prepared.flatMap(({ view }, index) =>
        view.groups.map((group) => ({ ...group, label: label(group.label, index) })),
      ),
      warnings: [...(total === 1 ? [] : [caution(t.oneByOne)]), ...uniqueWarnings(prepared)],
      rows: prepared.flatMap(({ view }) => view.rows),
      place: [
        ...prepared.flatMap(({ view }, index) =>
          view.place
            .filter((row) => !places.has(JSON.stringify(row)))
            .map((row) => ({ ...row, label: label(row.label, index) })),
        ),
        ...placeRows(request),
      ],
    },
    counterparties: {
      sent: prepared.flatMap(({ counterparties }) => counterparties?.sent ?? []),
      used: prepared.flatMap(({ counterparties }) => counterparties?.used ?? []),
    },
    recheck: async () => {
      for (const one of prepared) if (await one.recheck?.()) return prepareOneByOne(request, work)
      return undefined
    },
    approve: async () => {
      const hashes: string[] = []
      const save = (moreUntilMs: number) =>
        access.save(id, {
          chainId: chain.id,
          kind: 'transactions',
          hashes: [...hashes],
          total,
          moreUntilMs,
        })
      for (const one of prepared) {
        try {
          hashes.push(String(await one.approve()))
        } catch (error) {
          if (hashes.length === 0) throw error
          break
        }
        await save(request.now() + maxPauseMs)
        if (hashes.length < total && !(await hasSucceeded(request, hashes.at(-1) as Hex))) break
      }
      await save(0)
      return { id }
    },
  }
}

const uniqueWarnings = (prepared: readonly PreparedRequest[]) => [
  ...new Map(prepared.flatMap(({ view }) => view.warnings).map((one) => [one.text, one])).values(),
]

const receiptLooks = 120
const receiptPauseMs = 500
/** Twice as long as a receipt is waited for: the next one has to be signed and sent as well. */
const maxPauseMs = 2 * receiptLooks * receiptPauseMs

/** Waits for a transaction of the batch before the next one is sent. */
async function hasSucceeded({ read, chain }: ApprovalRequest, hash: Hex): Promise<boolean> {
  for (let look = 0; look < receiptLooks; look++) {
    const receipt = await read(chain, 'eth_getTransactionReceipt', [hash]).catch(() => null)
    if (receipt !== null) return (receipt as { status?: unknown }).status === '0x1'
    await new Promise((resolve) => setTimeout(resolve, receiptPauseMs))
  }
  return false
}

const createId = () =>
  `0x${[...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
