import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { Batch, BatchStatus } from '../../batchCalls.ts'
import { parseEvmChainId } from '../chainId.ts'

/** Receipts of one batch. */
const maxReceipts = 100
/** The codes of EIP-5792 for the words that wallets use instead. */
const words: Readonly<Record<string, number>> = {
  pending: 100,
  confirmed: 200,
  failed: 500,
  reverted: 500,
}

const answerSchema = z.looseObject({
  status: z.union([z.int(), z.string().check(z.maxLength(16))]),
  receipts: z.optional(z.nullable(z.array(z.unknown()).check(z.maxLength(maxReceipts)))),
})

/**
 * Reads a wallet's answer to wallet_getCallsStatus (EIP-5792). The status may be a code, also as a decimal or hex text, or a word, and a
 * receipt may have no hash yet. Throws WALLET_ANSWER_INVALID.
 */
export function readCallsStatus(answer: unknown): Batch {
  const parsed = answerSchema.safeParse(answer)
  const code = parsed.success ? readCode(parsed.data.status) : undefined
  if (!parsed.success || code === undefined) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const receipts = (parsed.data.receipts ?? []).map(toReceipt)
  const chainId = parseEvmChainId(parsed.data.chainId)
  return {
    status: toStatus(code, receipts),
    isAtomic: parsed.data.atomic === true,
    hashes: receipts.flatMap(({ transactionHash: hash }) =>
      typeof hash === 'string' && /^0x[0-9a-fA-F]{64}$/.test(hash) ? [hash] : [],
    ),
    ...(chainId && { chainId }),
  }
}

type Receipt = { transactionHash?: unknown; status?: unknown }

const toReceipt = (value: unknown): Receipt =>
  typeof value === 'object' && value !== null ? value : {}

function readCode(status: number | string): number | undefined {
  if (typeof status === 'number') return status
  const isNumber = /^(0x[0-9a-f]+|\d+)$/i.test(status)
  return isNumber ? Number(status) : words[status.toLowerCase()]
}

function toStatus(code: number, receipts: readonly Receipt[]): BatchStatus {
  if (code < 200) return 'pending'
  // In the first version of the standard, CONFIRMED includes batches that were reverted.
  if (code < 300) return receipts.some(hasFailed) ? 'failed' : 'confirmed'
  return code >= 600 && code < 700 ? 'partial' : 'failed'
}

const hasFailed = ({ status }: Receipt) =>
  status !== undefined && status !== null && status !== '' && Number(status) === 0
