import { LatchkeyError } from '@latchkey/wire'
import type { Actions } from '../actions.ts'
import type { Request } from '../request.ts'
import type { TransactionOutcome } from '../transactionOutcome.ts'
import {
  type BroadcastTransaction,
  findReplacement,
  readBlockHeight,
  readCount,
} from './findReplacement.ts'
import { toBigInt } from './values.ts'

/** Limits of the pause between two reads. The pause is a tenth of the time waited. */
const shortestPollMs = 1_000
const longestPollMs = 15_000
/** The longest wait; after it, the status is `unknown`. */
const limitMs = 30 * 60_000
/**
 * The number of polls that may fail to find the transaction with the same nonce. After that, the
 * sent transaction counts as lost.
 */
const maxMisses = 5

/**
 * Waits until a transaction, or another transaction with its nonce, is in a block. The pauses
 * become longer; after half an hour the status is `unknown`. A hash that is unknown to the node may
 * be the id of a contract account's proposal: `readBatch` then returns the wallet's status of it.
 * Throws ABORTED and the node's errors.
 */
export async function waitForEvmTransaction(
  parameters: Parameters<Actions['waitForTransaction']>[0],
): Promise<TransactionOutcome> {
  const { node, hash, address, signal, sleep, readBatch } = parameters
  let search: Search | undefined
  for (let waitedMs = 0; !signal.aborted; ) {
    const status = await readStatus(node, hash)
    if (status) return { status }
    search ??= await startSearch(node, { hash, address })
    const found = search
      ? await lookForReplacement(node, search)
      : address && readBatch && (await readProposal(node, { address, readBatch }))
    if (found) return found
    if (waitedMs >= limitMs) return { status: 'unknown' }
    const ms = Math.min(longestPollMs, Math.max(shortestPollMs, waitedMs / 10))
    await sleep(ms, signal)
    waitedMs += ms
  }
  throw new LatchkeyError('ABORTED')
}

/** The state of the search for another transaction with the same nonce. */
type Search = { sent: BroadcastTransaction; fromBlock: bigint; misses: number }

async function readStatus(node: Request, hash: string) {
  const receipt = await node('eth_getTransactionReceipt', [hash])
  const status = (receipt as { status?: unknown } | null)?.status
  if (status === undefined || status === null) return undefined
  return toBigInt(status) === 1n ? ('success' as const) : ('reverted' as const)
}

/**
 * Starts the search when the node has found the transaction. A bundler's transaction gets no
 * search, because the account did not send it.
 */
async function startSearch(
  node: Request,
  { hash, address }: { hash: string; address: string | undefined },
): Promise<Search | undefined> {
  const [sent, height] = await Promise.all([
    node('eth_getTransactionByHash', [hash]).catch(() => undefined),
    readBlockHeight(node).catch(() => undefined),
  ])
  const { from, nonce } = (sent ?? {}) as Partial<BroadcastTransaction>
  if (typeof from !== 'string' || typeof nonce !== 'string' || height === undefined)
    return undefined
  const isOwn = address === undefined || from.toLowerCase() === address.toLowerCase()
  // Other nodes of the network may be a few blocks ahead.
  return isOwn
    ? { sent: sent as BroadcastTransaction, fromBlock: height - 5n, misses: 0 }
    : undefined
}

async function lookForReplacement(
  node: Request,
  search: Search,
): Promise<TransactionOutcome | undefined> {
  const { sent, fromBlock } = search
  const count = await readCount(node, sent.from).catch(() => 0n)
  if (count <= BigInt(sent.nonce)) return undefined
  // It may have been included since the first read of its receipt.
  const status = await readStatus(node, sent.hash)
  if (status) return { status }
  const taken = await findReplacement(node, { sent, fromBlock })
  if (!taken) {
    search.misses += 1
    return search.misses < maxMisses ? undefined : { status: 'replaced' }
  }
  const { hash } = taken
  if (hash === sent.hash) return undefined
  if (taken.kind !== 'spedUp') return { status: taken.kind, hash }
  const outcome = await readStatus(node, hash)
  return outcome && { status: outcome, hash, isSpedUp: true }
}

/**
 * Reads the outcome of a contract account's proposal from its wallet; undefined while owners must
 * confirm it, and for other accounts.
 */
async function readProposal(
  node: Request,
  {
    address,
    readBatch,
  }: {
    address: string
    readBatch: NonNullable<Parameters<Actions['waitForTransaction']>[0]['readBatch']>
  },
): Promise<TransactionOutcome | undefined> {
  if (!(await isContractAccount(node, address))) return undefined
  const batch = await readBatch()
  const hash = batch?.hashes.at(-1)
  if (!batch || batch.status === 'pending') return undefined
  if (batch.status !== 'confirmed') return { status: 'reverted', ...(hash && { hash }) }
  const status = hash ? await readStatus(node, hash) : 'success'
  return status && { status, ...(hash && { hash }) }
}

/** Whether a contract decides about the account, and the node does not know the transaction. */
export async function isAwaitingOwners({
  node,
  hash,
  address,
}: {
  node: Request
  hash: string
  address: string
}): Promise<boolean> {
  if (!(await isContractAccount(node, address))) return false
  return (await node('eth_getTransactionByHash', [hash])) === null
}

/**
 * Whether a contract decides what an account does. An account with its own key may delegate to a
 * contract (EIP-7702).
 */
async function isContractAccount(node: Request, address: string): Promise<boolean> {
  const code = await node('eth_getCode', [address, 'latest']).catch(() => '0x')
  return typeof code === 'string' && code.length > 2 && !code.toLowerCase().startsWith('0xef0100')
}
