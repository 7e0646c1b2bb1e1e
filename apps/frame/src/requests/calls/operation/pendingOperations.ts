import * as z from 'zod/mini'
import type { FrameChain } from '../../../chains.ts'
import type { ReadChain } from '../../../readChain.ts'
import { maxReplacements, notPending, refuseReplacement } from '../../evm/replacement/replacing.ts'
import type { CallsAccess } from '../callsAccess.ts'
import type { SentOperation } from './sentOperations.ts'

type OperationContext = {
  readonly read: ReadChain
  readonly chain: FrameChain
  readonly calls: CallsAccess
  readonly now: () => number
}

/** A bundler may miss an operation for a moment, so it is forgotten only after this time. */
const forgetAfterMs = 15 * 60_000

/**
 * The page's user operations that the bundler still has and no block includes. Operations that are
 * done are removed from the store.
 */
async function readPending({
  read,
  chain,
  calls,
  now,
}: OperationContext): Promise<readonly SentOperation[]> {
  const operations = await calls.operations()
  const sent = await operations.read(chain.id)
  const states = await Promise.all(sent.map((one) => readState({ read, chain }, one)))
  const done = sent.filter(
    ({ sentAtMs }, at) =>
      states[at] === 'included' || (states[at] === 'unknown' && now() - sentAtMs > forgetAfterMs),
  )
  if (done.length > 0)
    await operations.remove(
      chain.id,
      done.map(({ hash }) => hash),
    )
  return sent.filter((_, at) => states[at] === 'pending')
}

const known = z.object({ blockNumber: z.nullish(z.string()) })

/** The state of an operation according to the bundler, with all its versions. */
async function readState(
  { read, chain }: Pick<OperationContext, 'read' | 'chain'>,
  { hash, earlier }: SentOperation,
): Promise<'pending' | 'included' | 'unknown'> {
  const askAll = (method: string) =>
    Promise.all([hash, ...earlier].map((one) => read(chain, method, [one])))
  const [receipts, found] = await Promise.all([
    askAll('eth_getUserOperationReceipt'),
    askAll('eth_getUserOperationByHash'),
  ])
  const answers = found.flatMap((one) => z.safeParse(known, one).data ?? [])
  const isIncluded = answers.some(({ blockNumber }) => typeof blockNumber === 'string')
  if (isIncluded || receipts.some((one) => one !== null)) return 'included'
  return answers.length > 0 ? 'pending' : 'unknown'
}

/**
 * The page's pending user operation with this hash or with an earlier version that had this hash.
 * Throws SIGNING_REFUSED if none matches, with the same message for an operation of another page.
 */
export async function findPendingOperation(
  place: OperationContext,
  hash: string,
): Promise<SentOperation> {
  const all = await readPending(place)
  const found = all.find((one) => one.hash === hash || one.earlier.includes(hash))
  if (!found) throw refuseReplacement(notPending)
  if (found.earlier.length >= maxReplacements) throw refuseReplacement('it was replaced too often')
  return found
}

/** The user operations that the page may replace, for wallet_getPendingTransactions. */
export async function getPendingOperations(place: OperationContext): Promise<object[]> {
  const pending = await readPending(place)
  return pending.map(({ hash, earlier, isCancelled, batchId }) => ({
    hash,
    earlier: [...earlier],
    isCancelled,
    isOperation: true,
    canBeReplaced: earlier.length < maxReplacements,
    ...(batchId !== undefined && { batchId }),
  }))
}
