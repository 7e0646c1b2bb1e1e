import {
  formatUnits,
  type HistoryTransaction,
  type HistoryTransfer,
  nftImagePath,
} from '@latchkey/wire'
import { getAddress } from 'viem/utils'
import type { ActivityRow, ActivityTransfer } from '../activity/activity.ts'
import type { ChainConfig } from '../config/chainsFile.ts'
import type { Hex } from '../evm/hex.ts'
import { nftKey } from '../evm/nft.ts'
import type { ListedTokens } from '../tokens/listedTokens.ts'
import { getNativeDust, hideBait, isSpamNft, isSpamToken } from '../tokens/spam.ts'
import type { TokenFacts } from '../tokens/tokenFacts.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'
import { getApproval, toApprovalEntry } from './getApproval.ts'
import { getDirection, getOperationType } from './operationType.ts'

/** The input of an entry: the account, and the facts about the row's chain and contracts. */
type EntryContext = {
  readonly account: Hex
  readonly publicUrl: string
  readonly chain: Pick<ChainConfig, 'nativeCurrency'>
  readonly listed: ListedTokens
  readonly facts: ReadonlyMap<Hex, TokenFacts>
  /** The names of items, by {@link nftKey}. */
  readonly nftNames: ReadonlyMap<string, string>
  readonly getTokenIcon: GetTokenIcon
}

/**
 * A row in the wire format. Undefined if it contains nothing to show: all transfers are spam
 * without a flag (fungible tokens, dust), or an unknown account sent nothing. `value` and `price`
 * are null, because the current price of a token is not its price at that time.
 */
export function toHistoryEntry(
  row: ActivityRow,
  context: EntryContext,
): HistoryTransaction | undefined {
  const visible = row.transfers.filter((transfer) => !isHidden(transfer, row, context))
  if (visible.length === 0 && (row.transfers.length > 0 || isEmpty(row, context))) return undefined
  const transfers = visible.map((one) => transferEntry(one, row, context))
  if (row.sinceBlock !== undefined) return toBalanceEntry(row, row.sinceBlock, transfers)
  const operation = getOperationType({ ...row, transfers: visible }, context.account)
  const approval = getApproval(row, context.account)
  // For a token, the transaction names its contract, not the receiver.
  const moved = operation === 'send' || operation === 'receive' ? visible : []
  return {
    id: `${row.chainId}:${row.hash}`,
    metadata: {
      operationType: approval?.amount === 0n ? 'revoke' : operation,
      hash: row.hash,
      minedAt: new Date(row.minedAtMs).toISOString(),
      sentFrom: toShown(single(moved.map(({ from }) => from)) ?? row.from),
      sentTo: toShown(single(moved.map(({ to }) => to)) ?? row.to ?? row.created),
      status: row.status,
      nonce: row.nonce,
      application: null,
      chain: row.chainId,
      block: Number(row.blockNumber),
      ...(row.feeWei !== undefined && { fee: toFee(row, row.feeWei, context) }),
      ...(row.sponsored && { sponsored: true }),
      ...(approval && {
        approval: toApprovalEntry(approval, { ...context, chainId: row.chainId }),
      }),
    },
    transfers,
  }
}

const toFee = ({ from }: ActivityRow, feeWei: bigint, { chain }: EntryContext) => ({
  numeric: formatUnits(feeWei, chain.nativeCurrency.decimals),
  payer: toShown(from),
})

/** With its checksum, as every view shows it. */
const toShown = (address: Hex | undefined) => (address === undefined ? '' : getAddress(address))

/** A change of the native balance without a known transaction. */
const toBalanceEntry = (
  row: ActivityRow,
  sinceBlock: bigint,
  transfers: HistoryTransfer[],
): HistoryTransaction => ({
  id: `${row.chainId}:balance:${row.blockNumber}`,
  metadata: {
    operationType: 'balance',
    hash: '',
    minedAt: new Date(row.minedAtMs).toISOString(),
    sentFrom: '',
    sentTo: '',
    status: row.status,
    nonce: row.nonce,
    application: null,
    chain: row.chainId,
    blocks: { after: Number(sinceBlock), to: Number(row.blockNumber) },
  },
  transfers,
})

/** The address, if all of them are equal. */
const single = ([first, ...rest]: readonly Hex[]): Hex | undefined =>
  rest.every((one) => one === first) ? first : undefined

const isOwnAct = (row: ActivityRow, { account }: EntryContext) => row.from === account

/**
 * Whether a transaction from another account moved nothing and has no calldata: an attacker can
 * send such transactions from an address that resembles a known address.
 */
const isEmpty = (row: ActivityRow, context: EntryContext): boolean =>
  !isOwnAct(row, context) && row.selector === undefined && row.transfers.length === 0

function isHidden(transfer: ActivityTransfer, row: ActivityRow, context: EntryContext): boolean {
  if (transfer.standard === 'native') {
    const isSmall = transfer.amount < getNativeDust(context.chain.nativeCurrency)
    return isSmall && transfer.to === context.account && !isOwnAct(row, context)
  }
  if (transfer.standard !== 'erc20') return false
  const { name, symbol, listed } = getToken(transfer, context)
  const { knownNames } = context.listed
  const ownAct = isOwnAct(row, context)
  return isSpamToken({ name, symbol, listed, ownAct, knownNames, amount: transfer.amount })
}

type Token = {
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number
  readonly listed: boolean
}

/**
 * The facts of a token. Token lists take precedence over the contract. Without decimals the amount
 * is in base units.
 */
function getToken({ contract }: ActivityTransfer, { chain, listed, facts }: EntryContext): Token {
  if (contract === undefined) return { ...chain.nativeCurrency, listed: true }
  const known = listed.tokens.get(contract)
  if (known !== undefined)
    return { name: known.name, symbol: known.symbol, decimals: known.decimals, listed: true }
  const { name = null, symbol = null, decimals } = facts.get(contract) ?? {}
  return { name, symbol, decimals: decimals ?? 0, listed: false }
}

function transferEntry(
  transfer: ActivityTransfer,
  row: ActivityRow,
  context: EntryContext,
): HistoryTransfer {
  const { standard, contract, tokenId, amount } = transfer
  const common = {
    direction: getDirection(transfer, context.account),
    value: null,
    price: null,
    ...(contract !== undefined && { address: `${row.chainId}:${contract}` }),
  }
  if (standard === 'erc721' || standard === 'erc1155')
    return {
      ...common,
      fungible_info: null,
      nft_info: nftInfo(transfer, row, context),
      quantity: { numeric: String(amount) },
      ...(tokenId !== undefined && { tokenId: String(tokenId) }),
    }
  const { name, symbol, decimals, listed } = getToken(transfer, context)
  const names = listed ? { name, symbol } : { name: hideBait(name), symbol: hideBait(symbol) }
  return {
    ...common,
    fungible_info: {
      ...names,
      icon: getIcon(transfer, context),
      ...(listed && { is_listed: true }),
    },
    nft_info: null,
    quantity: { numeric: formatUnits(amount, decimals) },
  }
}

/** Pictures are found by symbol, so only a listed token has a picture. */
function getIcon(transfer: ActivityTransfer, context: EntryContext): { url: string } | null {
  const { symbol, listed } = getToken(transfer, context)
  const url = listed && symbol !== null ? context.getTokenIcon(symbol) : ''
  return url === '' ? null : { url }
}

function nftInfo(
  { contract, tokenId }: ActivityTransfer,
  row: ActivityRow,
  context: EntryContext,
): HistoryTransfer['nft_info'] {
  if (contract === undefined || tokenId === undefined)
    return { name: null, content: null, flags: { is_spam: false } }
  const { name = null, symbol = null } = context.facts.get(contract) ?? {}
  const ownName = context.nftNames.get(nftKey({ chainId: row.chainId, contract, tokenId }))
  const number = `#${shortNumber(tokenId)}`
  const path = nftImagePath
    .replace(':chainId', row.chainId)
    .replace(':contract', contract)
    .replace(':tokenId', String(tokenId))
  const url = `${context.publicUrl}${path}`
  const ownAct = isOwnAct(row, context)
  const { knownNames } = context.listed
  return {
    name: ownName ?? (name === null ? number : `${name} ${number}`),
    content: { preview: { url, content_type: null }, detail: null },
    flags: { is_spam: isSpamNft({ name: ownName, texts: [name, symbol], ownAct, knownNames }) },
  }
}

/** Ids that are hashes have 78 digits. */
function shortNumber(tokenId: bigint): string {
  const digits = String(tokenId)
  return digits.length <= 12 ? digits : `${digits.slice(0, 6)}…${digits.slice(-4)}`
}
