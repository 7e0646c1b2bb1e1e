import { afterEach, expect, test, vi } from 'vitest'
import type { Config } from '../config.ts'
import { type Batch, keepBatch } from '../state.ts'
import { answerStatus, batchKey } from './readBatch.ts'

const [done, reverted] = ['0x1', '0x0']
const config = {
  chains: [
    {
      chainId: 31_337,
      name: 'One',
      rpcUrl: 'http://127.0.0.1:8545',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    },
  ],
  polkadot: [],
} satisfies Config

afterEach(() => void vi.unstubAllGlobals())

/** The status of a batch of `sent` transactions; `statuses`: of those that are in a block. */
async function statusOf(batch: {
  sent: number
  step: Batch['step']
  statuses: readonly string[]
}): Promise<unknown> {
  const stored = new Map<string, string>()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const { id, params } = JSON.parse(body) as { id: number; params: [string] }
    const status = batch.statuses[Number(params[0])]
    const receipt = { logs: [], status, blockHash: '0x', blockNumber: '0x1', gasUsed: '0x1' }
    const result = status === undefined ? null : { ...receipt, transactionHash: params[0] }
    return Response.json({ jsonrpc: '2.0', id, result })
  })
  const hashes = Array.from({ length: batch.sent }, (_, index) => `0x${index}`)
  keepBatch(batchKey('topic', 'batch'), {
    chainId: 31_337,
    requestId: 1,
    hashes,
    step: batch.step,
    isAtomic: false,
  })
  const answer = await answerStatus({ params: ['batch'], config, topic: 'topic' })
  return 'result' in answer ? (answer.result as { status: unknown }).status : answer
}

test('default: 200 once all transactions have succeeded', async () => {
  expect(await statusOf({ sent: 2, step: 'sent', statuses: [done, done] })).toBe(200)
})

test('behavior: 100 while transactions are sent or not in a block', async () => {
  expect(await statusOf({ sent: 1, step: 'sending', statuses: [done] })).toBe(100)
  expect(await statusOf({ sent: 2, step: 'sent', statuses: [done] })).toBe(100)
})

test('behavior: 600 if only some have succeeded, 500 if none has', async () => {
  expect(await statusOf({ sent: 1, step: 'failed', statuses: [done] })).toBe(600)
  expect(await statusOf({ sent: 2, step: 'failed', statuses: [done, reverted] })).toBe(600)
  expect(await statusOf({ sent: 1, step: 'failed', statuses: [reverted] })).toBe(500)
})
