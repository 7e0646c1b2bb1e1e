import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { Batch, BatchStatus } from '../../batchCalls.ts'
import { parseEvmChainId } from '../chainId.ts'

/** The maximum number of receipts in a batch. */
const maxReceipts = 100
/**
 * The codes of EIP-5792 for the words that wallets and libraries use instead, without separators.
 */
const words: Readonly<Record<string, number | undefined>> = Object.fromEntries(
  Object.entries({
    100: 'pending queued submitted processing inprogress',
    200: 'success successful succeeded confirmed complete completed',
    400: 'cancelled canceled rejected offchainfailure',
    500: 'failed failure error reverted',
    600: 'partial partiallyreverted',
  }).flatMap(([code, list]) => list.split(' ').map((word) => [word, Number(code)])),
)
/** The codes for the status of a receipt. */
const receiptCodes: Readonly<Record<string, number | undefined>> = {
  ...words,
  ...{ 1: 200, true: 200, 0: 500, false: 500 },
}

const answerSchema = z.looseObject({
  status: z.union([z.int(), z.string().check(z.maxLength(32))]),
  receipts: z.optional(z.nullable(z.array(z.unknown()).check(z.maxLength(maxReceipts)))),
})

/**
 * Parses a wallet's response to wallet_getCallsStatus (EIP-5792). The status may be a code, also as
 * a decimal or hex string, or a word. A receipt may have no hash or status yet. Throws
 * WALLET_ANSWER_INVALID, also for an unknown word, which could mean success or failure.
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
  const word = toWord(status)
  const code = isNumber(word) ? Number(word) : words[word]
  return code !== undefined && code >= 100 ? code : undefined
}

function toStatus(code: number, receipts: readonly Receipt[]): BatchStatus {
  if (code < 200) return 'pending'
  // In the first version of the standard, CONFIRMED includes batches that were reverted.
  if (code < 300) return receipts.some(hasFailed) ? 'failed' : 'confirmed'
  return code >= 600 && code < 700 ? 'partial' : 'failed'
}

function hasFailed({ status }: Receipt): boolean {
  if (status === undefined || status === null || status === '') return false
  const word = toWord(status)
  const code = receiptCodes[isNumber(word) ? Number(word) : word]
  if (code !== 200 && code !== 500) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  return code === 500
}

const isNumber = (word: string) => /^(0x[0-9a-f]+|\d+)$/.test(word)

const toWord = (value: unknown) =>
  String(value)
    .trim()
    .toLowerCase()
    .replace(/([a-z])[\s_-]+(?=[a-z])/g, '$1')
