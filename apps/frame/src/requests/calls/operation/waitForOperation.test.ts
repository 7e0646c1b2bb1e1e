import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApprovalRequest } from '../../approvalRequest.ts'
import { waitForOperation } from './waitForOperation.ts'

const transactionHash = `0x${'ab'.repeat(32)}`
const taken = { success: true, receipt: { transactionHash } }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/**
 * Waits for an operation of which the bundler says `receipts` and `known`, one after the other, the
 * last for ever.
 */
function wait({
  receipts,
  known,
  now = Date.now,
  answerMs = 0,
}: {
  receipts: readonly unknown[]
  known: readonly unknown[]
  now?: () => number
  answerMs?: number
}) {
  const said = { eth_getUserOperationReceipt: receipts, eth_getUserOperationByHash: known }
  const counts = new Map<string, number>()
  const read: ApprovalRequest['read'] = async (_chain, method) => {
    const count = counts.get(method) ?? 0
    counts.set(method, count + 1)
    await new Promise((done) => setTimeout(done, answerMs))
    const list = said[method as keyof typeof said]
    return list[Math.min(count, list.length - 1)]
  }
  const calls = { readReplacements: async () => [] }
  const request = { read, chain: {}, calls, now } as unknown as ApprovalRequest
  return waitForOperation(request, '0x01').catch(({ code }) => code)
}

test('default: asks until a block has taken it', async () => {
  const waiting = wait({ receipts: [null, null, taken], known: [{}] })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await waiting).toBe(transactionHash)
})

test('behavior: an operation counts as dropped after six missing responses in three seconds', async () => {
  const startMs = Date.now()
  const waiting = wait({ receipts: [null], known: [{}, null] })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await waiting).toBe('USER_OPERATION_FAILED')
  expect(Date.now() - startMs).toBeGreaterThan(3_000)
})

test('error: a page that slept between two answers does not say that nothing was sent', async () => {
  let sleptMs = 0
  const now = () => Date.now() + sleptMs
  const waiting = wait({ receipts: [null, null, taken], known: [null], now })
  await vi.advanceTimersByTimeAsync(10)
  sleptMs = 60_000
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await waiting).toBe(transactionHash)
})

test('error: slow responses do not drop the operation, although a single response is missing it', async () => {
  const receipts = [null, null, null, taken]
  const waiting = wait({ receipts, known: [null, {}], answerMs: 2_000 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await waiting).toBe(transactionHash)
})
