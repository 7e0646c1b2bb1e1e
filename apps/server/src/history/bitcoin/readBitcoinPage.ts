import { isError } from '@latchkey/wire'
import type { EsploraTransaction } from '../../esplora/answers.ts'
import { type EsploraNodes, findInEsplora, requestEsplora } from '../../esplora/requestEsplora.ts'
import { getAddress, getFoldedTransactions, getTransactionStatus } from '../../esplora/requests.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { BitcoinPosition } from './bitcoinCursor.ts'

type PageParameters = { readonly owner: string; readonly after: BitcoinPosition | undefined }

export type BitcoinPage = {
  readonly rows: readonly EsploraTransaction[]
  /** The start of the next page; undefined if no further rows can come. */
  readonly next: BitcoinPosition | undefined
  /** Nothing is missing in the page, as far as the nodes know. */
  readonly isComplete: boolean
}

const pageSize = 100

/**
 * A page of an account's transactions as the nodes list them now, without replaced or reorganized
 * transactions: pending ones first, then blocks. `outdated` if the transaction of the cursor is no
 * longer in a block. Throws RPC_UNAVAILABLE.
 */
export async function readBitcoinPage(
  nodes: EsploraNodes,
  { owner, after }: PageParameters,
): Promise<BitcoinPage | 'outdated'> {
  const account = { chainId: nodes.chainId, address: owner }
  const readPart = (part: Parameters<typeof getFoldedTransactions>[0]['part']) =>
    requestEsplora(nodes, getFoldedTransactions({ ...account, part }))
  const [stats, first] = await Promise.all([
    requestEsplora(nodes, getAddress(account)),
    readPart(after === undefined ? 'all' : { after: after.txid }),
  ])
  const total = stats.chain_stats.tx_count
  const start = after?.count ?? 0
  const rows = new Map(first.map((row) => [row.txid, row]))
  let isEnd = first.length === 0
  let isCut = false
  while (!isEnd && rows.size < pageSize && start + countConfirmed(rows) < total) {
    const more = await readPart({ after: findLast(rows) }).catch(undefinedIfUnavailable)
    // The part that was read becomes the page. The next page begins after its last row.
    isCut = more === undefined
    if (more === undefined) break
    // A node that repeats the same response would do so forever.
    const fresh = more.filter(({ txid }) => !rows.has(txid))
    for (const row of fresh) rows.set(row.txid, row)
    isEnd = fresh.length === 0
  }
  if (rows.size === 0 && start < total) {
    if (after !== undefined && !(await isConfirmed(nodes, after.txid))) return 'outdated'
    throw rpcUnavailable(nodes.chainId)
  }
  const page = new Map([...rows].slice(0, pageSize))
  const count = start + countConfirmed(page)
  const txid = findLast(page)
  const hasMore = rows.size > page.size || (!isEnd && count < total)
  return {
    rows: [...page.values()],
    next: hasMore && txid !== undefined ? { txid, count } : undefined,
    isComplete: !isCut && (hasMore || count >= total),
  }
}

type Rows = ReadonlyMap<string, EsploraTransaction>

const countConfirmed = (rows: Rows) =>
  [...rows.values()].filter(({ status }) => status.confirmed).length

const findLast = (rows: Rows) => [...rows.values()].findLast(({ status }) => status.confirmed)?.txid

function undefinedIfUnavailable(error: unknown): undefined {
  if (!isError(error, 'RPC_UNAVAILABLE')) throw error
}

const isConfirmed = async (nodes: EsploraNodes, txid: string) =>
  (await findInEsplora(nodes, getTransactionStatus(txid)))?.confirmed === true
