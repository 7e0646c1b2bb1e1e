import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import { callsTexts as t } from '../../../locales/calls.en.ts'
import type { ApprovalRequest } from '../../approvalRequest.ts'

const receipt = z.object({
  success: z.boolean(),
  receipt: z.object({ transactionHash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/i)) }),
})
/** Most blocks of a local chain arrive at once; other chains take seconds. */
const firstPauseMs = 50
const maxPauseMs = 500
/**
 * The sponsor's signature expires after ten minutes. After that, no block can include the
 * operation.
 */
const maxWaitMs = 11 * 60_000
/**
 * Between two of its lists, a bundler may miss an operation in both. The operation counts as
 * dropped after this many missing responses in a row, over at least this time.
 */
const maxMissing = { answers: 6, ms: 3_000 }

/**
 * Waits until a block includes the operation and returns its transaction hash. Throws RPC_FAILED if
 * the operation failed: the bundle transaction still succeeds, so a page that checks only that
 * would think it worked. Throws USER_OPERATION_FAILED if no block has included it.
 */
export async function waitForOperation(
  { read, chain, now }: ApprovalRequest,
  hash: string,
): Promise<string> {
  const endMs = now() + maxWaitMs
  let missing = 0
  let sinceMs = 0
  for (let pauseMs = firstPauseMs; now() < endMs; ) {
    const ask = (method: string) => read(chain, method, [hash]).catch(() => undefined)
    const answer = z.safeParse(receipt, await ask('eth_getUserOperationReceipt'))
    if (answer.success) {
      if (answer.data.success) return answer.data.receipt.transactionHash
      throw new LatchkeyError('RPC_FAILED', { data: { reason: t.reverted } })
    }
    if ((await ask('eth_getUserOperationByHash')) !== null) missing = 0
    else {
      if (missing++ === 0) sinceMs = now()
      // A page that was suspended made no requests during that time.
      if (missing >= maxMissing.answers && now() - sinceMs >= maxMissing.ms) break
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)
  }
  throw new LatchkeyError('USER_OPERATION_FAILED', { data: { status: t.notTaken } })
}
