import * as z from 'zod/mini'
import type { FrameChain } from '../../../chains.ts'
import type { ReadChain } from '../../../readChain.ts'
import type { CallsAccess, SentTransaction } from '../../calls/callsAccess.ts'
import { toBig } from '../../params.ts'
import { maxReplacements, notPending, refuseReplacement } from './replacing.ts'

type ReplacementContext = {
  readonly read: ReadChain
  readonly chain: FrameChain
  readonly account: string
  readonly calls: CallsAccess
}

/**
 * The page's pending transactions on a network. Transactions whose nonce was taken are removed from
 * the store.
 */
async function readPending({
  read,
  chain,
  account,
  calls,
}: ReplacementContext): Promise<readonly SentTransaction[]> {
  const sent = await calls.readSent(chain.id)
  if (sent.length === 0) return sent
  const taken = toBig(await read(chain, 'eth_getTransactionCount', [account, 'latest']))
  const pending = sent.filter(({ nonce }) => nonce >= taken)
  if (pending.length < sent.length) await calls.dropSent(chain.id, (nonce) => nonce < taken)
  return pending
}

/**
 * The page's pending transaction with this hash or with an earlier version that had this hash.
 * Throws SIGNING_REFUSED if none matches, with the same message for a transaction of another page.
 */
export async function findPending(
  place: ReplacementContext,
  hash: string,
): Promise<SentTransaction> {
  const found = (await readPending(place)).find((one) => getHashes(one).includes(hash))
  if (!found) throw refuseReplacement(notPending)
  if (found.earlier.length >= maxReplacements) throw refuseReplacement('it was replaced too often')
  return found
}

/**
 * {@link findPending}, if the network still has the transaction or an earlier version of it. If a
 * node dropped it, the next transaction, possibly of another page or browser, has its nonce.
 * Signing would then replace that transaction instead of the transaction on the screen.
 */
export async function findReplaceable(
  place: ReplacementContext,
  hash: string,
): Promise<SentTransaction> {
  const found = await findPending(place, hash)
  const { read, chain } = place
  const states = await Promise.all(
    getHashes(found).map(async (one) =>
      getState(await read(chain, 'eth_getTransactionByHash', [one])),
    ),
  )
  if (!states.includes('pending') || states.includes('included'))
    throw refuseReplacement(notPending)
  return found
}

const known = z.object({ hash: z.string(), blockNumber: z.nullish(z.string()) })

/** The state of a transaction according to a node. */
function getState(answer: unknown): 'pending' | 'included' | 'unknown' {
  const { data } = z.safeParse(known, answer)
  if (!data) return 'unknown'
  return typeof data.blockNumber === 'string' ? 'included' : 'pending'
}

const getHashes = ({ hash, earlier }: SentTransaction): readonly string[] => [hash, ...earlier]

/** wallet_getPendingTransactions: the transactions that the page may replace. */
export async function listPendingTransactions(place: ReplacementContext): Promise<object[]> {
  const pending = await readPending(place)
  return pending.map(({ hash, earlier, isCancelled, batchId }) => ({
    hash,
    earlier: [...earlier],
    isCancelled,
    canBeReplaced: earlier.length < maxReplacements,
    ...(batchId !== undefined && { batchId }),
  }))
}
