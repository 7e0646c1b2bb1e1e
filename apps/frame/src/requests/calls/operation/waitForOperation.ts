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
 * Waits until a block includes the operation, or the version that the user has sped up, and returns
 * its transaction hash. Throws RPC_FAILED if the operation failed: the bundle transaction still
 * succeeds, so a page that checks only that would think it worked. Throws USER_REJECTED if the user
 * has canceled it, and USER_OPERATION_FAILED if no block has included it.
 */
export async function waitForOperation(
  { read, chain, calls, now }: ApprovalRequest,
  hash: string,
): Promise<string> {
  let endMs = now() + maxWaitMs
  let versions = [{ hash, isCancelled: false }]
  let missing = 0
  let sinceMs = 0
  for (let pauseMs = firstPauseMs; now() < endMs || versions.length > 1; ) {
    const replacements = await calls.readReplacements(hash)
    if (replacements.length >= versions.length) endMs = now() + maxWaitMs
    versions = [{ hash, isCancelled: false }, ...replacements]
    const ask = (method: string) =>
      Promise.all(versions.map((one) => read(chain, method, [one.hash]).catch(() => undefined)))
    const answers = await ask('eth_getUserOperationReceipt')
    for (const [at, answer] of answers.entries()) {
      const { data } = z.safeParse(receipt, answer)
      if (!data) continue
      if (versions[at]?.isCancelled) throw new LatchkeyError('USER_REJECTED')
      if (data.success) return data.receipt.transactionHash
      throw new LatchkeyError('RPC_FAILED', { data: { reason: t.reverted } })
    }
    const known = await ask('eth_getUserOperationByHash')
    if (known.some((one) => one !== null)) missing = 0
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
