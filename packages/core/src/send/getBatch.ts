import { LatchkeyError } from '@latchkey/wire'
import type { ActiveWallet } from '../connection/getActiveWallet.ts'
import type { Batch, BatchCall } from '../namespaces/batchCalls.ts'
import { readCapabilities } from './readCapabilities.ts'

/**
 * Limits of the pause between two reads of an unfinished batch. The pause is a tenth of the time
 * waited.
 */
const shortestPollMs = 1_000
const longestPollMs = 15_000

type PollContext = {
  signal: AbortSignal
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/**
 * Returns functions with which the wallet sends calls as an atomic batch; undefined if it cannot.
 * `wait` resolves when a batch has completed, and throws ABORTED.
 */
export async function getBatch(wallet: ActiveWallet) {
  const known = await readCapabilities(wallet)
  // A wallet that does not report its capabilities sends calls individually.
  if (!known || known.capabilities.atomic === 'unsupported') return undefined
  const { calls, question } = known
  return {
    send: (list: readonly BatchCall[]) => calls.send({ ...question, calls: list, isAtomic: true }),
    async wait(id: string, { signal, sleep }: PollContext): Promise<Batch['status']> {
      for (let waitedMs = 0; !signal.aborted; ) {
        const { status } = await calls.getStatus({ ...question, id })
        if (status !== 'pending') return status
        const ms = Math.min(longestPollMs, Math.max(shortestPollMs, waitedMs / 10))
        await sleep(ms, signal)
        waitedMs += ms
      }
      throw new LatchkeyError('ABORTED')
    },
  }
}
