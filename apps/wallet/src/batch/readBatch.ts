import * as z from 'zod/mini'
import { type Chain, type Config, findChain } from '../config.ts'
import type { WalletResult } from '../extension/protocol.ts'
import { callNode } from '../node.ts'
import { invalidParams } from '../requests/parameters.ts'
import { type Batch, readState } from '../state.ts'

const receiptTimeoutMs = 60_000
const pollMs = 250

export const fail = (code: number, message: string): WalletResult => ({ error: { code, message } })

/** The storage key of a batch. A session can only read its own batches. */
export const batchKey = (topic: string, id: string): string => `${topic}:${id}`

/** Whether the window that sent this batch was closed meanwhile. */
const isGivenUp = ({ step, atMs }: Batch, nowMs: number) =>
  step === 'sending' && nowMs - atMs > 2 * receiptTimeoutMs

/**
 * wallet_getCallsStatus (EIP-5792) of a batch that this session, or the page of this origin, sent.
 */
export async function answerStatus(parameters: {
  params: unknown
  config: Config
  topic: string
}): Promise<WalletResult> {
  const [id] = Array.isArray(parameters.params) ? (parameters.params as unknown[]) : []
  if (typeof id !== 'string') throw invalidParams('id')
  const batch = readState().batches[batchKey(parameters.topic, id)]
  const chain = batch && findChain(parameters.config, batch.chainId)
  if (!batch || !chain) return fail(5730, 'Unknown bundle id')
  const found = await Promise.all(batch.hashes.map((hash) => readReceipt(chain, hash)))
  const receipts = found.filter((receipt) => receipt !== undefined)
  return {
    result: {
      version: '2.0.0',
      id,
      chainId: `0x${chain.chainId.toString(16)}`,
      atomic: batch.isAtomic,
      status: getCallsStatus({
        sent: batch.hashes.length,
        step: isGivenUp(batch, Date.now()) ? 'failed' : batch.step,
        statuses: receipts.map(({ status }) => status),
      }),
      receipts,
    },
  }
}

/** Status code of EIP-5792: 100 pending, 200 done, 500 nothing took effect, 600 a part did. */
function getCallsStatus(batch: {
  sent: number
  step: Batch['step']
  statuses: readonly string[]
}): number {
  const { sent, step, statuses } = batch
  if (step === 'sending' || statuses.length < sent) return 100
  if (step === 'sent' && statuses.every((status) => status === '0x1')) return 200
  return statuses.includes('0x1') ? 600 : 500
}

const receiptSchema = z.object({
  logs: z.array(z.object({ address: z.string(), data: z.string(), topics: z.array(z.string()) })),
  status: z.string(),
  blockHash: z.string(),
  blockNumber: z.string(),
  gasUsed: z.string(),
  transactionHash: z.string(),
})

async function readReceipt(chain: Chain, hash: string) {
  const answer = await callNode(chain, { method: 'eth_getTransactionReceipt', params: [hash] })
  const parsed = z.safeParse(receiptSchema, 'result' in answer ? answer.result : undefined)
  return parsed.success ? parsed.data : undefined
}

/**
 * The receipt of a transaction once it is in a block; undefined if that takes longer than a minute.
 */
export async function waitForReceipt(chain: Chain, hash: string) {
  for (let waitedMs = 0; waitedMs < receiptTimeoutMs; waitedMs += pollMs) {
    const receipt = await readReceipt(chain, hash)
    if (receipt) return receipt
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  return undefined
}
