import type { Request } from '../request.ts'
import { toBigInt, toHex } from './values.ts'

/** A transaction as nodes describe it. */
export type BroadcastTransaction = {
  hash: string
  from: string
  nonce: string
  to: string | null
  value: string
  input: string
}

export type Replacement = { hash: string; kind: 'spedUp' | 'cancelled' | 'replaced' }

/**
 * The largest number of blocks that are read one by one if the node does not keep earlier states.
 */
const maxBlocks = 100n

/**
 * Finds the transaction that took the nonce of another one since `fromBlock`: the same transfer or
 * call (`spedUp`), nothing sent to the account itself (`cancelled`), or anything else. Returns
 * undefined if it is not found.
 */
export async function findReplacement(
  node: Request,
  { sent, fromBlock }: { sent: BroadcastTransaction; fromBlock: bigint },
): Promise<Replacement | undefined> {
  const height = await readBlockHeight(node)
  const first = await findBlock(node, { sent, below: fromBlock, height })
  const lowest = first ?? (height - fromBlock > maxBlocks ? height - maxBlocks : fromBlock)
  for (let block = first ?? height; block >= lowest && block >= 0n; block -= 1n) {
    const taken = (await readTransactions(node, block)).find(
      ({ from, nonce }) => isSame(from, sent.from) && isEqual(nonce, sent.nonce),
    )
    if (taken) return { hash: taken.hash, kind: getKind(taken, sent) }
  }
  return undefined
}

/** The number of transactions that an account has in blocks. */
export const readCount = async (node: Request, address: string, block = 'latest') =>
  toBigInt(await node('eth_getTransactionCount', [address, block]))

export const readBlockHeight = async (node: Request) => toBigInt(await node('eth_blockNumber'))

/**
 * The block in which the account's count passed the nonce, by bisection; undefined if the node does
 * not keep those states.
 */
async function findBlock(
  node: Request,
  { sent, below, height }: { sent: BroadcastTransaction; below: bigint; height: bigint },
): Promise<bigint | undefined> {
  let [low, high] = [below < 0n ? -1n : below, height]
  try {
    while (high - low > 1n) {
      const middle = (low + high) / 2n
      const count = await readCount(node, sent.from, toHex(middle))
      if (count > BigInt(sent.nonce)) high = middle
      else low = middle
    }
    return high
  } catch {
    return undefined
  }
}

async function readTransactions(
  node: Request,
  block: bigint,
): Promise<readonly BroadcastTransaction[]> {
  const found = await node('eth_getBlockByNumber', [toHex(block), true])
  const { transactions } = (found ?? {}) as { transactions?: unknown }
  return Array.isArray(transactions) ? (transactions as BroadcastTransaction[]) : []
}

function getKind(taken: BroadcastTransaction, sent: BroadcastTransaction): Replacement['kind'] {
  const isSameCall =
    isSame(taken.to, sent.to) && isEqual(taken.value, sent.value) && isSame(taken.input, sent.input)
  if (isSameCall) return 'spedUp'
  const isEmpty = isEqual(taken.value, '0x0') && taken.input === '0x'
  return isEmpty && isSame(taken.to, taken.from) ? 'cancelled' : 'replaced'
}

const isSame = (one: string | null, other: string | null) =>
  one?.toLowerCase() === other?.toLowerCase()

const isEqual = (one: string, other: string) => toBigInt(one) === toBigInt(other)
