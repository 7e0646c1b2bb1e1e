import { makeDatabase, startChains } from '@latchkey/dev'
import type { ChainId } from '@latchkey/wire'
import { pino } from 'pino'
import { parseAbi, parseEventLogs } from 'viem/utils'
import { expect, onTestFinished } from 'vitest'
import type {
  Activity,
  ActivityRow,
  ActivityTransfer,
  FollowedAccount,
  RowApproval,
} from '../src/activity/activity.ts'
import { type ActivityOptions, createActivity } from '../src/activity/createActivity.ts'
import type { ChainTransaction } from '../src/activity/nodes/chainData.ts'
import type { ChainConfig } from '../src/config/chainsFile.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/openDatabase.ts'
import { createHealth } from '../src/health/health.ts'
import { createResponseMemory } from '../src/http/createResponseMemory.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import type { UpstreamLimits } from '../src/nodes/upstream.ts'
import { createUpstreams } from '../src/nodes/upstreams.ts'
import { chainWith } from './makeServices.ts'

type Hex = `0x${string}`

export const testChainId = 'eip155:31337'

/** A transaction as seen on a chain: by default a payment of zero, changed by the test. */
export const seenTransaction = (
  given: Pick<ChainTransaction, 'block' | 'from'> & Partial<ChainTransaction>,
): ChainTransaction => ({
  index: 0,
  hash: `0x${'00'.repeat(32)}`,
  to: undefined,
  created: undefined,
  nonce: 0,
  value: 0n,
  fee: undefined,
  selector: undefined,
  failed: false,
  transfers: [],
  approvals: [],
  sponsored: [],
  ...given,
})

/** The indexer of one process on a database and one chain. */
export type Indexer = Awaited<ReturnType<typeof openIndexer>>

export async function openIndexer(parameters: {
  databaseUrl: string
  upstreams: readonly string[]
  chain?: ChainConfig['activity']
  wrappedNative?: Hex
  options?: ActivityOptions
  limits?: Partial<UpstreamLimits>
  clock?: () => number
}) {
  const config = {
    ...readConfig({ DATABASE_URL: parameters.databaseUrl, DATABASE_TIMEOUT_SECONDS: '30' }),
    chains: {
      [testChainId]: {
        ...chainWith([...parameters.upstreams]),
        activity: parameters.chain,
        wrappedNative: parameters.wrappedNative,
      },
    },
  }
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const { db, background, url, close } = await openDatabase(config, log)
  const { clock = Date.now } = parameters
  const services = {
    db,
    background,
    config,
    log,
    clock,
    responseMemory: createResponseMemory({ clock, limits: config.answerBytes }),
    frameResponseMemory: createResponseMemory({ clock, limits: config.frameAnswerBytes }),
    health: createHealth(),
    metrics: createMetrics(),
    databaseUrl: url,
  }
  const limits = { restMs: 300, ...parameters.limits }
  const activity = createActivity(services, createUpstreams(services, limits), parameters.options)
  return {
    activity,
    db,
    metrics: services.metrics,
    async stop() {
      await activity.stop()
      await close()
    },
  }
}

export const accountOf = (address: Hex): FollowedAccount => ({
  chainId: testChainId,
  address: address.toLowerCase() as Hex,
})

/** All indexed rows of an account, page by page. */
export async function readAll(activity: Activity, address: Hex, limit = 50) {
  const rows: ActivityRow[] = []
  let page = await activity.page({ address, chainIds: [testChainId], limit })
  rows.push(...page.rows)
  while (page.next && !page.isIncomplete) {
    page = await activity.page({ address, chainIds: [testChainId], limit, after: page.next })
    rows.push(...page.rows)
  }
  return rows
}

const transferEvents = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
])
const nftEvents = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
])
const itemEvents = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])

type Json = Record<string, string | null> & { logs: JsonLog[] }
type JsonLog = { topics: [Hex, ...Hex[]]; data: Hex; address: Hex }
type Block = { number: string; timestamp: string; transactions: Json[] }

/** One JSON-RPC call. Throws the node's error. */
export async function rpc<Result>(url: string, method: string, params: unknown[]): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as {
    result: Result
    error?: { message: string }
  }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** The answer of a node to a call, for a proxy in front of it. */
export const passOn = (
  url: string,
  { method, params }: { readonly method: string; readonly params?: unknown },
): Promise<{ result: unknown } | { error: object }> =>
  rpc(url, method, (params ?? []) as unknown[]).then(
    (result) => ({ result }),
    (error: Error) => ({ error: { code: -32000, message: error.message } }),
  )

/** The same call for each place, in one request. Throws the node's error. */
async function rpcBatch<Result>(
  url: string,
  method: string,
  paramsAt: (place: string) => unknown[],
  places: readonly string[],
): Promise<Result[]> {
  if (places.length === 0) return []
  const calls = places.map((place, id) => ({ jsonrpc: '2.0', id, method, params: paramsAt(place) }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  })
  const answers = (await response.json()) as { id: number; result: Result; error?: Failure }[]
  const failed = answers.find(({ error }) => error)
  if (failed?.error) throw new Error(`${method}: ${failed.error.message}`)
  return answers.sort((one, other) => one.id - other.id).map(({ result }) => result)
}

type Failure = { message: string }

/**
 * The true activity of an account, newest first: every block and every receipt of the chain, read
 * by independent code.
 */
async function readTruth(url: string, address: Hex, from = 0): Promise<ActivityRow[]> {
  const [rows = []] = await readTruths(url, [address], from)
  return rows
}

const blocksPerBatch = 200

/** As {@link readTruth}, for each of some accounts; the chain is read once. */
export async function readTruths(
  url: string,
  addresses: readonly Hex[],
  from = 0,
): Promise<ActivityRow[][]> {
  const accounts = addresses.map((address) => ({ own: low(address), rows: [] as ActivityRow[] }))
  const head = Number(await rpc<string>(url, 'eth_blockNumber', []))
  for (let start = from; start <= head; start += blocksPerBatch) {
    const length = Math.min(blocksPerBatch, head + 1 - start)
    const places = Array.from({ length }, (_, index) => `0x${(start + index).toString(16)}`)
    const all = await rpcBatch<Block>(url, 'eth_getBlockByNumber', (place) => [place, true], places)
    const blocks = all.filter(({ transactions }) => transactions.length > 0)
    const numbers = blocks.map(({ number }) => number)
    const receipts = await rpcBatch<Json[]>(
      url,
      'eth_getBlockReceipts',
      (place) => [place],
      numbers,
    )
    for (const [at, { transactions, timestamp }] of blocks.entries())
      for (const [index, transaction] of transactions.entries()) {
        const receipt = receipts[at]?.[index]
        if (!receipt || receipt.transactionHash !== transaction.hash) throw new Error('No receipt')
        const minedAtMs = Number(timestamp) * 1000
        for (const { own, rows } of accounts) {
          const row = rowOf(own, { transaction, receipt, minedAtMs })
          if (row) rows.push(row)
        }
      }
  }
  return accounts.map(({ rows }) => rows.reverse())
}

function rowOf(
  own: Hex,
  { transaction, receipt, minedAtMs }: { transaction: Json; receipt: Json; minedAtMs: number },
): ActivityRow | undefined {
  const from = transaction.from as Hex
  const to = (transaction.to as Hex | null) ?? undefined
  const value = BigInt(transaction.value ?? 0)
  const isOwn = from === own || to === own
  // A log that moves a token from or to the account contains its address.
  const digits = own.slice(2)
  const logs = receipt.logs.filter(({ topics }) => topics.some((topic) => topic.endsWith(digits)))
  const tokens = tokensIn(logs).filter((one) => one.from === own || one.to === own)
  if (!isOwn && tokens.length === 0) return undefined
  const approvals = approvalsIn(logs, own)
  const created = isOwn ? ((receipt.contractAddress as Hex | null) ?? undefined) : undefined
  const native: ActivityTransfer = {
    standard: 'native',
    contract: undefined,
    tokenId: undefined,
    from,
    to: to ?? (created as Hex),
    amount: value,
  }
  const failed = receipt.status === '0x0'
  const input = transaction.input as Hex
  return {
    chainId: testChainId as ChainId,
    hash: transaction.hash as Hex,
    blockNumber: BigInt(transaction.blockNumber ?? 0),
    index: Number(transaction.transactionIndex),
    minedAtMs,
    from,
    to,
    created,
    nonce: Number(transaction.nonce),
    valueWei: value,
    feeWei: isOwn
      ? BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? 0)
      : undefined,
    selector: to !== undefined && input.length >= 10 ? (input.slice(0, 10) as Hex) : undefined,
    status: failed ? 'failed' : 'confirmed',
    transfers: [...(value > 0n && isOwn && !failed ? [native] : []), ...tokens],
    approvals: approvals.length > 0 ? approvals : undefined,
  }
}

const low = (address: Hex) => address.toLowerCase() as Hex

const approvalEvents = parseAbi([
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
])

/** The approvals of tokens and of all NFTs of a contract that an account gave. */
function approvalsIn(logs: readonly JsonLog[], own: Hex): RowApproval[] {
  return parseEventLogs({ abi: approvalEvents, logs: logs as never }).flatMap(
    (event): RowApproval[] => {
      const common = { contract: low(event.address), tokenId: undefined }
      if (low(event.args.owner) !== own) return []
      if (event.eventName === 'Approval') {
        const { spender, value: amount } = event.args
        return [{ ...common, kind: 'erc20', spender: low(spender), amount }]
      }
      const { operator, approved } = event.args
      const amount = approved ? 1n : 0n
      return [{ ...common, kind: 'operator', spender: low(operator), amount }]
    },
  )
}

function tokensIn(logs: readonly JsonLog[]): ActivityTransfer[] {
  return logs.flatMap((log) => {
    const one = [log] as never
    const contract = low(log.address)
    const fungible = parseEventLogs({ abi: transferEvents, logs: one }).map(({ args }) => ({
      standard: 'erc20' as const,
      contract,
      from: low(args.from),
      to: low(args.to),
      tokenId: undefined,
      amount: args.amount,
    }))
    const nft = parseEventLogs({ abi: nftEvents, logs: one }).map(({ args }) => ({
      standard: 'erc721' as const,
      contract,
      from: low(args.from),
      to: low(args.to),
      tokenId: args.tokenId,
      amount: 1n,
    }))
    const items = parseEventLogs({ abi: itemEvents, logs: one }).flatMap((event) => {
      const moved = { contract, from: low(event.args.from), to: low(event.args.to) }
      const pairs: [bigint, bigint][] =
        event.eventName === 'TransferSingle'
          ? [[event.args.id, event.args.value]]
          : event.args.ids.map((id, index) => [id, event.args.values[index] ?? 0n])
      const standard = 'erc1155' as const
      return pairs.map(([tokenId, amount]) => ({ ...moved, standard, tokenId, amount }))
    })
    return [...fungible, ...nft, ...items]
  })
}

type Sent = { from: Hex; to?: Hex; data?: Hex; value?: Hex; gas?: Hex }

/** The seeded chain 31337 and indexers of it, for the tests of one file. */
export type ActivityWorld = Awaited<ReturnType<typeof startActivityWorld>>

export async function startActivityWorld() {
  const chains = await startChains({ ports: 'free' })
  const url = chains.urls[testChainId]
  return {
    chains,
    url,
    database: makeDatabase,
    addressAt: (index: number) => chains.accounts[index]?.address.toLowerCase() as Hex,
    /** Ends with the test. */
    async open(parameters: Partial<Parameters<typeof openIndexer>[0]> = {}) {
      const databaseUrl = parameters.databaseUrl ?? (await makeDatabase())
      const indexer = await openIndexer({ upstreams: [url], ...parameters, databaseUrl })
      onTestFinished(indexer.stop)
      return indexer
    },
    /**
     * Resolves when the transaction is mined, which happens right after sending, but after its
     * response.
     */
    async send(transaction: Sent) {
      const hash = await rpc<Hex>(url, 'eth_sendTransaction', [transaction])
      while ((await rpc(url, 'eth_getTransactionReceipt', [hash])) === null);
      return hash
    },
    async untilComplete({ activity }: Indexer, ...who: Hex[]) {
      const all = async () => {
        const syncs = await Promise.all(who.map((one) => activity.sync(accountOf(one))))
        return syncs.every(({ complete }) => complete)
      }
      await expect.poll(all).toBe(true)
    },
    /** Waits until the rows agree with the chain, and compares all of their fields. */
    async untilTrue({ activity }: Indexer, who: Hex) {
      const truth = await readTruth(url, who)
      const hashes = async () => (await readAll(activity, who)).map(({ hash }) => hash)
      await expect.poll(hashes).toEqual(truth.map(({ hash }) => hash))
      expect(await readAll(activity, who)).toEqual(truth)
      return truth
    },
    async stop() {
      await chains.stop()
    },
  }
}
