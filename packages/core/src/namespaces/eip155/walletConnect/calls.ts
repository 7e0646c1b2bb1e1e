import { anySignal, type ChainId, isChainId, LatchkeyError } from '@latchkey/wire'
import { readResponseJson } from '../../../server/readResponseJson.ts'
import type { Request } from '../../request.ts'
import type { StoredCalls } from '../../requestHandlers.ts'
import { toHexChainId } from '../chainId.ts'

/**
 * Parses the id of a wallet_sendCalls result, and its transactions if the wallet returns them
 * (CAIP-345).
 */
export function parseCallsAnswer(
  answer: unknown,
  nowMs: number,
): [id: string, StoredCalls] | undefined {
  const { id, capabilities } = (answer ?? {}) as {
    id?: unknown
    capabilities?: { caip345?: { caip2?: unknown; transactionHashes?: unknown } }
  }
  const { caip2, transactionHashes } = capabilities?.caip345 ?? {}
  if (typeof id !== 'string' || typeof caip2 !== 'string' || !isChainId(caip2)) return undefined
  if (!Array.isArray(transactionHashes)) return undefined
  const hashes = (transactionHashes as unknown[]).filter((hash) => typeof hash === 'string')
  return [id, { atMs: nowMs, chainId: caip2, hashes }]
}

type Receipt = { status?: unknown }

/** EIP-5792 status codes: pending, confirmed, failed completely, failed partially. */
const statuses = { pending: 100, confirmed: 200, failed: 500, partial: 600 } as const

/** The state of a batch, read from its transactions' receipts. */
export async function readSessionCallsStatus(parameters: {
  id: string
  calls: StoredCalls
  node: Request
}) {
  const { id, calls, node } = parameters
  const answers = await Promise.all(
    calls.hashes.map((hash) => node('eth_getTransactionReceipt', [hash])),
  )
  const receipts = answers.filter(
    (entry): entry is Receipt => entry !== null && entry !== undefined,
  )
  return toStatusAnswer({
    id,
    chainId: calls.chainId,
    status: toStatusCode(receipts, answers.length),
    receipts,
  })
}

function toStatusCode(receipts: readonly Receipt[], count: number): number {
  if (count === 0 || receipts.length < count) return statuses.pending
  const failed = receipts.filter(({ status }) => Number(status) !== 1).length
  if (failed === 0) return statuses.confirmed
  return failed === count ? statuses.failed : statuses.partial
}

const toStatusAnswer = (parameters: {
  id: string
  chainId: ChainId
  status: number
  receipts: readonly unknown[]
}) => ({
  version: '2.0.0',
  id: parameters.id,
  chainId: toHexChainId(parameters.chainId),
  status: parameters.status,
  atomic: false,
  receipts: parameters.receipts,
})

/** The timeout of a request to a bundler. */
const bundlerTimeoutMs = 10_000

/**
 * The state of a batch that a bundler runs as one user operation. Throws USER_OPERATION_FAILED,
 * ANSWER_INVALID.
 */
export async function readOperationStatus(parameters: {
  id: string
  chainId: ChainId
  url: string
  fetch: typeof globalThis.fetch
  signal: AbortSignal
}) {
  const { id, chainId, url, fetch, signal } = parameters
  const unanswered = (cause: unknown): never => {
    throw new LatchkeyError('USER_OPERATION_FAILED', { data: { status: 'no answer' }, cause })
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getUserOperationReceipt',
      params: [id],
    }),
    signal: anySignal([signal, AbortSignal.timeout(bundlerTimeoutMs)]),
  }).catch(unanswered)
  if (!response.ok)
    throw new LatchkeyError('USER_OPERATION_FAILED', { data: { status: response.status } })
  const answer = (await readResponseJson(response).catch((cause) => {
    throw new LatchkeyError('ANSWER_INVALID', { cause })
  })) as { result?: { success?: unknown; receipt?: unknown } | null } | null
  const operation = answer?.result
  if (operation === undefined) throw new LatchkeyError('ANSWER_INVALID')
  if (operation === null)
    return {
      ...toStatusAnswer({ id, chainId, status: statuses.pending, receipts: [] }),
      atomic: true,
    }
  const status = operation.success === true ? statuses.confirmed : statuses.failed
  const receipts = operation.receipt ? [operation.receipt] : []
  return { ...toStatusAnswer({ id, chainId, status, receipts }), atomic: true }
}
