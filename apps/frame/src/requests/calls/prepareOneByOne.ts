import type { Hex } from 'viem'
import { approvals } from '../../locales/approvals.en.ts'
import { callsTexts as t } from '../../locales/calls.en.ts'
import { fill } from '../../locales/en.ts'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { placeRows } from '../approvalRequest.ts'
import { prepareTransaction } from '../evm/prepareTransaction.ts'
import { caution } from '../getWarnings.ts'
import type { CallsAccess } from './callsAccess.ts'
import type { Batch } from './parseCalls.ts'

export type Work = { readonly access: CallsAccess; readonly batch: Batch; readonly id: string }

export async function prepareOneByOne(
  request: ApprovalRequest,
  work: Work,
): Promise<PreparedRequest> {
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
