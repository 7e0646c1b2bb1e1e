import { LatchkeyError } from '@latchkey/wire'
import type { Wallet } from '../connection/getActiveWallet.ts'
import type { Batch, BatchCall } from '../namespaces/batchCalls.ts'

/** Milliseconds between two looks at a batch that is not over. */
const pollMs = 1_000

type Waiting = {
  signal: AbortSignal
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** How the wallet sends calls as one, all or nothing; undefined if it cannot. `wait` resolves once a batch is over, and throws ABORTED. */
export async function getBatch({ actions, connection, request, approvedMethods }: Wallet) {
  const calls = await actions.loadCalls?.()
  const { account, chainId } = connection
  const question = { wallet: request, address: account.address, chainId, approvedMethods }
  // A wallet that does not say sends them one by one.
  const { atomic } = (await calls?.getCapabilities(question).catch(() => undefined)) ?? {}
  if (!calls || atomic === undefined || atomic === 'unsupported') return undefined
  return {
    send: (list: readonly BatchCall[]) => calls.send({ ...question, calls: list, isAtomic: true }),
    async wait(id: string, { signal, sleep }: Waiting): Promise<Batch['status']> {
      while (!signal.aborted) {
        const { status } = await calls.getStatus({ ...question, id })
        if (status !== 'pending') return status
        await sleep(pollMs, signal)
      }
      throw new LatchkeyError('ABORTED')
    },
  }
}
