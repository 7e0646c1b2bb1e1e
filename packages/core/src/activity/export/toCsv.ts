import { type ChainId, cleanText, type HistoryTransaction, parseChainId } from '@latchkey/wire'
import { cutDollars } from '../../account/formatDollars.ts'
import { decimalPattern } from '../../format.ts'
import { isSameAddress } from '../../namespaces/namespaceMetadata.ts'
import { getWorth } from '../getWorth.ts'
import { getNoteKey, type Notes } from '../notes.ts'
import { getTransferAmounts, type TransferAmount } from '../transferAmounts.ts'

/** The account and the network of the rows, and the notes about them. */
type CsvContext = {
  readonly address: string
  readonly chainId: ChainId
  /** The symbol of the network's native currency. */
  readonly symbol: string
  readonly notes: Notes
}

const columns = [
  ...['Date', 'Kind', 'Sent amount', 'Sent asset', 'Received amount', 'Received asset'],
  ...['Worth then (USD)', 'Fee', 'Fee asset', 'From', 'To', 'Network', 'Transaction ID', 'Note'],
]

/**
 * Transactions as a file for spreadsheets (RFC 4180, UTF-8 with a byte order mark). Dates are
 * ISO 8601 in UTC, amounts are exact. A transaction with several amounts in one direction has
 * several rows, and its worth and its fee are only in the first. Only fees that the account paid
 * are listed. No cell is a formula.
 */
export function toCsv(transactions: readonly HistoryTransaction[], context: CsvContext): string {
  const rows = transactions.flatMap((transaction) => toRows(transaction, context))
  return `\ufeff${[columns, ...rows].map(toLine).join('')}`
}

function toRows(transaction: HistoryTransaction, context: CsvContext): string[][] {
  const { metadata, transfers } = transaction
  const hasMoved = metadata.status !== 'failed'
  const amounts = hasMoved ? getTransferAmounts(transfers) : []
  const sent = amounts.filter(({ direction }) => direction !== 'in')
  const received = amounts.filter(({ direction }) => direction !== 'out')
  const count = Math.max(1, sent.length, received.length)
  const worth = hasMoved ? getWorth(transaction) : undefined
  return Array.from({ length: count }, (_, index) => [
    ...[getDate(transaction), toText(getKind(transaction))],
    ...[...toAmountCells(sent[index]), ...toAmountCells(received[index])],
    index === 0 && worth !== undefined ? cutDollars(worth) : '',
    ...(index === 0 ? getFeeCells(transaction, context) : ['', '']),
    ...[metadata.sentFrom, metadata.sentTo, context.chainId, metadata.hash].map(toText),
    toText(context.notes.get(getNoteKey(transaction))),
  ])
}

/** The time of a pending transaction is not known yet. */
function getDate({ metadata: { minedAt, status } }: HistoryTransaction): string {
  const date = new Date(minedAt)
  return status === 'pending' || Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

const getKind = ({ metadata: { status, operationType } }: HistoryTransaction): string =>
  status === 'confirmed' ? operationType : status

const toAmountCells = (amount: TransferAmount | undefined): [string, string] =>
  amount ? [amount.numeric, toText(getAssetName(amount))] : ['', '']

/** The symbol of a token, or the name of an NFT in quotes with its contract and id. */
function getAssetName({ transfer }: TransferAmount): string | null | undefined {
  const { fungible_info, nft_info, address, tokenId } = transfer
  if (!nft_info) return fungible_info?.symbol ?? fungible_info?.name ?? address
  const id = [address, tokenId].filter(Boolean).join('/')
  return [nft_info.name && `“${nft_info.name}”`, id].filter(Boolean).join(' ')
}

function getFeeCells(
  { metadata: { fee } }: HistoryTransaction,
  { address, chainId, symbol }: CsvContext,
): [string, string] {
  const { namespace } = parseChainId(chainId)
  const isOwn = fee && isSameAddress({ namespace, one: fee.payer, other: address })
  return isOwn && decimalPattern.test(fee.numeric) ? [fee.numeric, toText(symbol)] : ['', '']
}

const maxCell = 300

/**
 * A string from outside as a cell: a line without characters that are invisible or change the
 * direction. Programs must not take it for a formula, also not if they divide cells at semicolons.
 */
const toText = (text: string | null | undefined): string =>
  (cleanText(text ?? '', { maxLength: maxCell }) ?? '').replace(
    /(^|[;|]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
    "$1'",
  )

const toLine = (cells: readonly string[]) => `${cells.map(quote).join(',')}\r\n`

const quote = (cell: string) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
