import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Hex } from '../../evm/hex.ts'
import type { ActivityApproval, ActivityTransfer } from '../activity.ts'
import type { ChainTransaction } from '../nodes/chainData.ts'

type Accounts = ReadonlyMap<Hex, number>

/**
 * The number of each standard in the table. Native currency has no contract, so an empty contract
 * is stored.
 */
const standardNumber = { native: 0, erc20: 20, erc721: 721, erc1155: 1155 } as const

const rowTypes = {
  account_id: 'int4',
  mined_ms: 'int8',
  block: 'int8',
  index: 'int4',
  hash: 'bytea',
  sender: 'bytea',
  recipient: 'bytea',
  created: 'bytea',
  nonce: 'int8',
  value: 'numeric',
  fee: 'numeric',
  selector: 'bytea',
  failed: 'bool',
  sponsored: 'bool',
} as const

const transferTypes = {
  account_id: 'int4',
  block: 'int8',
  index: 'int4',
  position: 'int4',
  standard: 'int2',
  contract: 'bytea',
  sender: 'bytea',
  recipient: 'bytea',
  token_id: 'numeric',
  amount: 'numeric',
  mined_ms: 'int8',
} as const

const approvalTypes = {
  account_id: 'int4',
  block: 'int8',
  index: 'int4',
  position: 'int4',
  kind: 'text',
  contract: 'bytea',
  spender: 'bytea',
  token_id: 'numeric',
  mined_ms: 'int8',
  amount: 'numeric',
} as const

type Cell = string | number | null

/**
 * Stores what concerns `accounts` (ids by address) in `transactions`; resolves to the accounts that
 * got rows.
 */
export async function storeTransactions(
  transaction: Transaction<Database>,
  accounts: Accounts,
  transactions: readonly ChainTransaction[],
): Promise<ReadonlySet<Hex>> {
  const rows = createColumns(rowTypes)
  const transfers = createColumns(transferTypes)
  const approvals = createColumns(approvalTypes)
  const changed = new Set<Hex>()
  for (const onChain of transactions) {
    for (const [address, own] of groupByAccount(onChain, accounts)) {
      const id = accounts.get(address) ?? 0
      changed.add(address)
      rows.add(toRow(id, onChain, address))
      for (const [position, transfer] of own.entries())
        transfers.add(toTransferRow({ id, transaction: onChain, position }, transfer))
    }
    // Anyone can create a log with an account as the owner, so an approval alone adds no row to the
    // account's history.
    for (const [position, approval] of onChain.approvals.entries()) {
      const id = accounts.get(approval.owner)
      if (id === undefined) continue
      changed.add(approval.owner)
      approvals.add(toApprovalRow({ id, transaction: onChain, position }, approval))
    }
  }
  await rows.insert(transaction, 'activity_rows')
  await transfers.insert(transaction, 'activity_transfers')
  await approvals.insert(transaction, 'activity_approvals')
  return changed
}

/** The accounts that a transaction concerns, and their transfers in its order. */
function groupByAccount(transaction: ChainTransaction, accounts: Accounts) {
  const own = new Map<Hex, ActivityTransfer[]>()
  for (const address of [transaction.from, transaction.to])
    if (address !== undefined && accounts.has(address)) own.set(address, [])
  for (const transfer of transaction.transfers)
    for (const address of new Set([transfer.from, transfer.to])) {
      if (!accounts.has(address)) continue
      const list = own.get(address)
      if (list) list.push(transfer)
      else own.set(address, [transfer])
    }
  return own
}

const bytes = (hex: Hex | undefined) => (hex === undefined ? null : `\\x${hex.slice(2)}`)

/**
 * Only the sender and the receiver get the fee and the created contract: for others it was not
 * requested.
 */
function toRow(
  id: number,
  transaction: ChainTransaction,
  address: Hex,
): Record<keyof typeof rowTypes, Cell> {
  const own = transaction.from === address || transaction.to === address
  return {
    account_id: id,
    mined_ms: transaction.block.minedMs,
    block: transaction.block.number,
    index: transaction.index,
    hash: bytes(transaction.hash),
    sender: bytes(transaction.from),
    recipient: bytes(transaction.to),
    created: own ? bytes(transaction.created) : null,
    nonce: transaction.nonce,
    value: transaction.value.toString(),
    fee: own ? (transaction.fee?.toString() ?? null) : null,
    selector: bytes(transaction.selector),
    failed: String(transaction.failed),
    sponsored: String(transaction.sponsored.includes(address)),
  }
}

type RowPosition = {
  readonly id: number
  readonly transaction: ChainTransaction
  readonly position: number
}

/** The account, and the position of its transfer or approval in the chain. */
const toPositionColumns = ({ id, transaction, position }: RowPosition) => ({
  account_id: id,
  block: transaction.block.number,
  index: transaction.index,
  position,
  mined_ms: transaction.block.minedMs,
})

const toTransferRow = (
  place: RowPosition,
  transfer: ActivityTransfer,
): Record<keyof typeof transferTypes, Cell> => ({
  ...toPositionColumns(place),
  standard: standardNumber[transfer.standard],
  contract: bytes(transfer.contract ?? '0x'),
  sender: bytes(transfer.from),
  recipient: bytes(transfer.to),
  token_id: transfer.tokenId?.toString() ?? null,
  amount: transfer.amount.toString(),
})

const toApprovalRow = (
  place: RowPosition,
  approval: ActivityApproval,
): Record<keyof typeof approvalTypes, Cell> => ({
  ...toPositionColumns(place),
  kind: approval.kind,
  contract: bytes(approval.contract),
  spender: bytes(approval.spender),
  token_id: approval.tokenId?.toString() ?? null,
  amount: approval.amount.toString(),
})

/** Collects rows by column, and inserts them all with one statement. */
function createColumns<Name extends string>(types: Readonly<Record<Name, string>>) {
  const names = Object.keys(types) as Name[]
  const columns = names.map((): Cell[] => [])
  return {
    add(row: Record<Name, Cell>): void {
      for (const [index, name] of names.entries()) columns[index]?.push(row[name])
    },
    async insert(transaction: Transaction<Database>, table: string): Promise<void> {
      if (columns[0]?.length === 0) return
      const arrays = names.map(
        (name, index) => sql`${toArrayLiteral(columns[index] ?? [])}::${sql.raw(types[name])}[]`,
      )
      await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
        select * from unnest(${sql.join(arrays)}) on conflict do nothing`.execute(transaction)
    },
  }
}

/** The SQL literal of an array. Only the backslash of bytes needs escaping. */
const toArrayLiteral = (cells: readonly Cell[]): string =>
  `{${cells.map((cell) => (cell === null ? 'NULL' : String(cell).replace('\\', '\\\\'))).join(',')}}`
