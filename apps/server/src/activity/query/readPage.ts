import type { ChainId } from '@latchkey/wire'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { ApprovalKind } from '../../evm/approvals.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../evm/hex.ts'
import type {
  Activity,
  ActivityPage,
  ActivityPosition,
  ActivityRow,
  ActivityTransfer,
  RowApproval,
} from '../activity.ts'
import { nativeTransfers } from '../activity.ts'
import type { ActivityRowTable } from '../tables.ts'
import { readCoverage } from './readCoverage.ts'

type Db = Kysely<Database>

type Row = Selectable<ActivityRowTable> & { chain_id: ChainId }

// A transaction with more transfers for one account distributes tokens to thousands of accounts.
const maxTransfers = 100
const maxApprovals = 10
const highest = 9_223_372_036_854_775_807n

/** See `Activity.page`. Walks down the index of each chain, only as far as it is complete. */
export async function readPage(
  db: Db,
  { address, chainIds, after, limit }: Parameters<Activity['page']>[0],
): Promise<ActivityPage> {
  const chains = [...new Set(chainIds)]
  const bounds = chains.map((chainId) => getBound(chainId, after))
  // Read before the rows, so that they contain everything known by then.
  const reach = await readCoverage(db, { address, chainIds: chains })
  const [floor] = reach.flatMap(({ floor }) => floor ?? []).sort(compare)
  const { rows: found } = await sql<Row>`
    select bound.chain_id, r.* from unnest(
        ${chains}::text[],
        ${bounds.map(({ minedMs }) => minedMs)}::int8[],
        ${bounds.map(({ block }) => block)}::int8[],
        ${bounds.map(({ index }) => index)}::int4[]) as bound(chain_id, mined_ms, block, index)
      join activity_accounts a on a.chain_id = bound.chain_id and a.address = ${hexToBytes(address)}
      cross join lateral (
        select * from activity_rows r where r.account_id = a.id
          and (r.mined_ms, r.block, r.index) < (bound.mined_ms, bound.block, bound.index)
        order by r.mined_ms desc, r.block desc, r.index desc limit ${limit + 1}
      ) r`.execute(db)
  const places = found
    .filter((row) => floor === undefined || compare(getPosition(row), floor) < 0)
    .sort((a, b) => compare(getPosition(a), getPosition(b)))
  const rows = places.slice(0, limit)
  const [transfers, approvals] = await Promise.all([
    readTransfers(db, rows),
    readRowApprovals(db, rows),
  ])
  const last = rows.at(-1)
  const isCut = places.length > limit && last !== undefined
  return {
    rows: rows.map((row) => ({
      ...toRow(row, address, transfers.get(rowKey(row)) ?? []),
      approvals: approvals.get(rowKey(row)),
    })),
    next: isCut ? getPosition(last) : floor && furthest(floor, after),
    isIncomplete: !isCut && floor !== undefined,
    hasNewest: reach.every(({ hasNewest }) => hasNewest),
  }
}

/** A page never goes back above the position it continues from. */
const furthest = (floor: ActivityPosition, after: ActivityPosition | undefined) =>
  after !== undefined && compare(after, floor) > 0 ? after : floor

/**
 * The exclusive upper bound of the rows of `chainId` beyond `after`. Rows of the same moment are in
 * the order of their chains.
 */
function getBound(chainId: ChainId, after: ActivityPosition | undefined) {
  if (after === undefined) return { minedMs: highest, block: 0n, index: 0 }
  const { minedAtMs, blockNumber, index } = after
  if (chainId === after.chainId) return { minedMs: minedAtMs, block: blockNumber, index }
  return { minedMs: minedAtMs, block: chainId < after.chainId ? highest : -1n, index: 0 }
}

const getPosition = (row: Row): ActivityPosition => ({
  minedAtMs: Number(row.mined_ms),
  chainId: row.chain_id,
  blockNumber: row.block,
  index: row.index,
})

/** Newest first; then, backwards, chain and place in it. */
function compare(a: ActivityPosition, b: ActivityPosition): number {
  if (a.minedAtMs !== b.minedAtMs) return b.minedAtMs - a.minedAtMs
  if (a.chainId !== b.chainId) return a.chainId < b.chainId ? 1 : -1
  return Number(b.blockNumber - a.blockNumber) || b.index - a.index
}

type TransferRow = {
  account_id: number
  block: bigint
  index: number
  standard: number
  contract: Buffer
  sender: Buffer
  recipient: Buffer
  token_id: string | null
  amount: string
}

const rowKey = ({ account_id, block, index }: Pick<Row, 'account_id' | 'block' | 'index'>) =>
  `${account_id} ${block} ${index}`

async function readTransfers(db: Db, rows: readonly Row[]) {
  const found = new Map<string, ActivityTransfer[]>()
  if (rows.length === 0) return found
  const { rows: transfers } = await sql<TransferRow>`
    select t.* from unnest(
        ${rows.map((row) => row.account_id)}::int4[],
        ${rows.map((row) => row.block)}::int8[],
        ${rows.map((row) => row.index)}::int4[]) as r(account_id, block, index)
      cross join lateral (
        select * from activity_transfers t
        where t.account_id = r.account_id and t.block = r.block and t.index = r.index
        order by t.position limit ${maxTransfers}
      ) t`.execute(db)
  for (const transfer of transfers) {
    const list = found.get(rowKey(transfer))
    if (list) list.push(toTransfer(transfer))
    else found.set(rowKey(transfer), [toTransfer(transfer)])
  }
  return found
}

type ApprovalRow = {
  account_id: number
  block: bigint
  index: number
  kind: ApprovalKind
  contract: Buffer
  spender: Buffer
  token_id: string | null
  amount: string | null
}

async function readRowApprovals(db: Db, rows: readonly Row[]) {
  const found = new Map<string, RowApproval[]>()
  if (rows.length === 0) return found
  const { rows: approvals } = await sql<ApprovalRow>`
    select p.* from unnest(
        ${rows.map((row) => row.account_id)}::int4[],
        ${rows.map((row) => row.block)}::int8[],
        ${rows.map((row) => row.index)}::int4[]) as r(account_id, block, index)
      cross join lateral (
        select * from activity_approvals p
        where p.account_id = r.account_id and p.block = r.block and p.index = r.index
        order by p.position limit ${maxApprovals}
      ) p`.execute(db)
  for (const approval of approvals)
    found.set(rowKey(approval), [...(found.get(rowKey(approval)) ?? []), toApproval(approval)])
  return found
}

const toApproval = (row: ApprovalRow): RowApproval => ({
  kind: row.kind,
  contract: bytesToHex(row.contract),
  spender: bytesToHex(row.spender),
  tokenId: row.token_id === null ? undefined : BigInt(row.token_id),
  amount: row.amount === null ? undefined : BigInt(row.amount),
})

const standards: Record<number, ActivityTransfer['standard']> = {
  0: 'native',
  20: 'erc20',
  721: 'erc721',
}

const toTransfer = (row: TransferRow): ActivityTransfer => ({
  standard: standards[row.standard] ?? 'erc1155',
  contract: row.standard === 0 ? undefined : bytesToHex(row.contract),
  from: bytesToHex(row.sender),
  to: bytesToHex(row.recipient),
  tokenId: row.token_id === null ? undefined : BigInt(row.token_id),
  amount: BigInt(row.amount),
})

const optional = (bytes: Buffer | null) => (bytes === null ? undefined : bytesToHex(bytes))

function toRow(row: Row, address: Hex, transfers: readonly ActivityTransfer[]): ActivityRow {
  const facts = {
    from: bytesToHex(row.sender),
    to: optional(row.recipient),
    created: optional(row.created),
    valueWei: BigInt(row.value),
  }
  const native = row.failed ? [] : nativeTransfers(facts, address)
  return {
    ...facts,
    chainId: row.chain_id,
    hash: bytesToHex(row.hash),
    blockNumber: row.block,
    index: row.index,
    minedAtMs: Number(row.mined_ms),
    nonce: Number(row.nonce),
    feeWei: row.fee === null ? undefined : BigInt(row.fee),
    selector: optional(row.selector),
    status: row.failed ? 'failed' : 'confirmed',
    transfers: [...native, ...transfers],
    sinceBlock: row.since_block ?? undefined,
    sponsored: row.sponsored || undefined,
  }
}
