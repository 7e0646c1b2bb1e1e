import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import { callsTexts as t } from '../../../locales/calls.en.ts'
import type { ApprovalRequest } from '../../approvalRequest.ts'

const receipt = z.object({
  success: z.boolean(),
  receipt: z.object({ transactionHash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/i)) }),
})
/** Most blocks of a local chain come at once; those of others take seconds. */
const firstPauseMs = 50
const maxPauseMs = 500
/** After ten minutes the sponsor's signature ends, and no block can take the operation any more. */
const maxWaitMs = 11 * 60_000
/**
 * Between two of its lists, a bundler may know an operation in neither: so many answers in a row,
 * over so long.
 */
const maxMissing = { answers: 6, ms: 3_000 }

/**
 * The hash of the transaction that carries an operation, once a block has it. Throws RPC_FAILED
 * where it failed: its transaction succeeds all the same, so a page that looks there would take it
 * for done. Throws USER_OPERATION_FAILED where no block has taken it.
 */
export async function waitForTransaction(
  { read, chain, now }: ApprovalRequest,
  hash: string,
): Promise<string> {
  const endMs = now() + maxWaitMs
  let missing = { answers: 0, sinceMs: 0 }
  for (let pauseMs = firstPauseMs; now() < endMs; ) {
    const ask = (method: string) => read(chain, method, [hash]).catch(() => undefined)
    const answer = z.safeParse(receipt, await ask('eth_getUserOperationReceipt'))
    if (answer.success) {
      if (answer.data.success) return answer.data.receipt.transactionHash
      throw new LatchkeyError('RPC_FAILED', { data: { reason: t.reverted } })
    }
    if ((await ask('eth_getUserOperationByHash')) !== null) missing = { answers: 0, sinceMs: 0 }
    else {
      const sinceMs = missing.answers === 0 ? now() : missing.sinceMs
      missing = { answers: missing.answers + 1, sinceMs }
      // A page that slept has asked nothing meanwhile.
      if (missing.answers >= maxMissing.answers && now() - sinceMs >= maxMissing.ms) break
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)
  }
  throw new LatchkeyError('USER_OPERATION_FAILED', { data: { status: t.notTaken } })
}
